/** The typed client of the server's API, and what every request has in common. */

import createClient, { type Middleware } from 'openapi-fetch'
import { settings } from '../shell/preferences.svelte'
import { answered } from './reach.svelte'
import type { paths } from './schema'

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

client.use(language, reachability)
