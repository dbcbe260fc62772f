/// <reference lib="webworker" />
/**
 * The service worker: Headway opens without its server, and says then what it cannot do.
 *
 * Keeps every file of this build, and of the server's answers the texts, the shelf, the maps and
 * the rules that were read. The server is always asked first; a kept answer, marked as such, is
 * used when it does not reply. Tables, names and everything else that changes are never kept.
 */

import type { Notice, Shelf } from './api/schema'

declare const self: ServiceWorkerGlobalScope
/** Written in by the build: its files, and a name for all of them together. */
declare const BUILD: { name: string; files: string[] }

const { name, files } = BUILD
/** The folder of the host below which all pages are; empty, or `/headway`. */
const FOLDER = new URL('.', location.href).pathname.slice(0, -1)
const ROOT = `${FOLDER}/`
const FILES = files.map((path) => FOLDER + path)
const KEPT = `headway-${name}`
/** Marks an answer that is not the server's of now; `api/client.ts` looks for it. */
const MARK = 'x-headway-kept'
const TEXTS = `${FOLDER}/api/texts`
const SHELF = `${FOLDER}/api/shelf`
/** What changes with the server's version only: texts, shelf, maps, rules with their pictures. */
const LASTING = /^\/api\/(shelf(\/[\w-]+\/[\w-]+)?|texts\/[\w-]+|rules\/[\w-]+\/[\w.-]+)$/
const PROGRAMS = /^\/(api|assets|schema|health|metrics)(\/|$)/
/** After so long a page is opened with what is kept: it can wait for the server better itself. */
const PATIENCE = 4000

const mapsOf = (shelf: Shelf): string[] =>
  shelf.games.flatMap((game) => game.maps.map((map) => `${SHELF}/${game.name}/${map.name}`))

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('message', (event) => event.waitUntil(met(event.source, `${event.data}`)))
self.addEventListener('push', (event) => event.waitUntil(called(event.data?.json() as Notice)))
self.addEventListener('notificationclick', (event) => event.waitUntil(answered(event.notification)))
self.addEventListener('fetch', (event) => {
  const { pathname, origin, search } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== location.origin) return
  const path = pathname.slice(FOLDER.length)
  if (LASTING.test(path)) event.respondWith(lasting(event.request, pathname + search))
  else if (FILES.includes(pathname) && pathname !== ROOT) event.respondWith(file(event.request))
  else if (event.request.mode === 'navigate' && !PROGRAMS.test(path))
    event.respondWith(opened(event.request))
})

const languagesOf = (texts: object): string[] =>
  Object.keys(texts)
    .filter((key) => key.startsWith('web.languages.'))
    .map((key) => `${TEXTS}/${key.slice('web.languages.'.length)}`)
const read = async (cache: Cache, path: string): Promise<unknown> =>
  (await cache.match(path))!.json()

async function install(): Promise<void> {
  const cache = await caches.open(KEPT)
  await cache.addAll([...FILES, `${TEXTS}/en`, SHELF])
  const page = await (await cache.match(ROOT))!.text()
  const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1] ?? ''
  // Where servers are replaced one by one, another build's server may have answered.
  if (!FILES.includes(script)) {
    await caches.delete(KEPT)
    throw new Error(`the page is of another build: ${script}`)
  }
  const [texts, shelf] = await Promise.all([`${TEXTS}/en`, SHELF].map((path) => read(cache, path)))
  await cache.addAll([...languagesOf(texts as object), ...mapsOf(shelf as Shelf)])
}

async function activate(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/**
 * A page says what it runs while this worker waits. A page of the build before is told of this one;
 * a page of this build lets it take over, unless other windows are open: they may run the build
 * before, whose files must stay until they are closed.
 */
async function met(page: ExtendableMessageEvent['source'], script: string): Promise<void> {
  if (!FILES.includes(new URL(script).pathname)) return page?.postMessage('newer')
  // A window that is just being left counts for a moment longer.
  for (let k = 0; k < 5; k++) {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    if (windows.length === 1) return self.skipWaiting()
    await new Promise((wake) => setTimeout(wake, 1000))
  }
}

/** Shows a notice, unless somebody looks at its table; a newer one about it replaces it. */
async function called(notice: Notice): Promise<void> {
  const page = new URL(notice.path, self.registration.scope).href
  const windows = await self.clients.matchAll({ type: 'window' })
  if (windows.some((one) => one.visibilityState === 'visible' && one.url === page)) return
  const { setAppBadge } = self.navigator as Partial<WorkerNavigator>
  await setAppBadge?.call(self.navigator, notice.waiting).catch(() => undefined)
  const more = { renotify: true, vibrate: [200, 100, 200] } // not every browser has these
  await self.registration.showNotification(notice.title, {
    ...more,
    body: notice.text,
    tag: notice.table,
    icon: new URL('icons/any-192.png', self.registration.scope).href,
    data: page,
  })
}

/** Opens the table of a notice: in its own window, else in one of ours, else in a new one. */
async function answered(notification: Notification): Promise<void> {
  notification.close()
  const page = notification.data as string
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const own = windows.find((one) => one.url === page)
  if (own) return void (await own.focus())
  const other = windows.find((one) => new URL(one.url).origin === location.origin)
  const there = await other?.navigate(page).catch(() => null)
  await (there ? there.focus() : self.clients.openWindow(page))
}

/** A file of a build; its name changes with its content. */
async function file(request: Request): Promise<Response> {
  return (await (await caches.open(KEPT)).match(request, { ignoreVary: true })) ?? fetch(request)
}

/** A page: the server's own, which belongs to the newest build, or the one that is kept. */
async function opened(request: Request): Promise<Response> {
  const late = AbortSignal.timeout(PATIENCE)
  try {
    const answer = await fetch(request, { signal: late })
    if (answer.status < 502) return answer
  } catch {
    // Nobody answers.
  }
  return (await (await caches.open(KEPT)).match(ROOT)) ?? Response.error()
}

async function lasting(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(KEPT)
  try {
    const answer = await fetch(request)
    if (answer.ok) await keep(cache, path, answer.clone())
    if (answer.status < 502) return answer
  } catch {
    // Nobody answers.
  }
  const kept = await cache.match(path, { ignoreVary: true })
  if (!kept) return Response.error()
  const headers = new Headers(kept.headers)
  headers.set(MARK, '1')
  return new Response(kept.body, { headers })
}

async function keep(cache: Cache, path: string, answer: Response): Promise<void> {
  if (path === SHELF) await forget(cache, mapsOf((await answer.clone().json()) as Shelf))
  await cache.put(path, answer)
}

/** Maps that are no longer on the shelf are not kept either. */
async function forget(cache: Cache, maps: string[]): Promise<void> {
  for (const { url } of await cache.keys()) {
    const path = new URL(url).pathname
    if (path.startsWith(`${SHELF}/`) && !maps.includes(path)) await cache.delete(path)
  }
}
