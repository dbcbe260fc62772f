/** The typed client of the server's API, and what every request has in common. */

import createClient, { type Middleware } from 'openapi-fetch'
import { folder } from '../shell/folder'
import { settings } from '../shell/preferences.svelte'
import { noticed } from './notice.svelte'
import { answered } from './reach.svelte'
import type { paths } from './schema'

export const client = createClient<paths>({ baseUrl: folder })

const language: Middleware = {
  onRequest({ request }) {
    request.headers.set('accept-language', settings.lang)
  },
}

/**
 * Notes whether the server answers, and the number of the operator's notice; an answer that the
 * service worker kept is not the server's.
 */
const reachability: Middleware = {
  onResponse({ response }) {
    const kept = response.headers.has('x-headway-kept')
    answered(response.status < 502 && !kept)
    const number = response.headers.get('headway-notice')
    if (number !== null && !kept) noticed(Number(number))
  },
  onError() {
    answered(false)
  },
}

client.use(language, reachability)
