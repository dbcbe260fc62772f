/** The typed client of the server's API, and what every request has in common. */

import createClient, { type Middleware } from 'openapi-fetch'
import { settings } from '../shell/settings.svelte'
import { answered } from './reach.svelte'
import type { Failure, Me, paths } from './schema'

export const client = createClient<paths>()

const language: Middleware = {
  onRequest({ request }) {
    request.headers.set('accept-language', settings.lang)
  },
}

/** Notes whether the server answers; an answer that the service worker kept is not the server's. */
const reachability: Middleware = {
  onResponse({ response }) {
    answered(response.status < 502 && !response.headers.has('x-headway-kept'))
  },
  onError() {
    answered(false)
  },
}

let token = ''
const unsent = new Map<string, Request>()

/** Sends the token that unsafe requests need; a token that is out of date is renewed once. */
const csrf: Middleware = {
  async onRequest({ request, id }) {
    if (request.method === 'GET') return
    if (!token) await client.GET('/api/me')
    request.headers.set('x-headway-csrf', token)
    unsent.set(id, request.clone())
  },
  async onResponse({ response, schemaPath, id }) {
    const again = unsent.get(id)
    unsent.delete(id)
    if (response.ok && /^\/api\/(me|account)/.test(schemaPath))
      token = ((await response.clone().json()) as Me).csrf
    if (response.status !== 403 || !again) return
    const refusal = (await response.clone().json()) as Failure
    if (refusal.error.key !== 'server.csrf') return
    await client.GET('/api/me') // somebody else since another tab signed in or out
    again.headers.set('x-headway-csrf', token)
    return fetch(again)
  },
  onError({ id }) {
    unsent.delete(id)
  },
}

client.use(language, reachability, csrf)
