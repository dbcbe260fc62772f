/** Headway as an app: kept for when the server is away, replaced by newer builds, installed. */

import { addressOf } from './folder'

/** What browsers send that install pages; no type library knows it yet. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

export const app: {
  /** A newer build is here; the next load brings it. */
  newer: boolean
  /** Asks the player whether to install; null where the browser offers nothing. */
  install: (() => void) | null
} = $state({ newer: false, install: null })

let kept: ServiceWorkerRegistration | undefined

/** Lets the service worker keep this build. Only secure pages have one: https, or this machine. */
export async function keep(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener(
    'message',
    (event) => (app.newer ||= event.data === 'newer'),
  )
  kept = await navigator.serviceWorker.register(addressOf('/worker.js')).catch(() => undefined)
  for (const worker of [kept?.waiting, kept?.installing]) meet(worker)
  kept?.addEventListener('updatefound', () => meet(kept?.installing))
}

/** Tells a worker that waits what this page runs: it takes over, or says that it is newer. */
function meet(worker: ServiceWorker | null | undefined): void {
  const tell = async () => {
    if (worker?.state !== 'installed') return
    await quiet()
    worker.postMessage(document.querySelector<HTMLScriptElement>('script[type=module]')?.src)
  }
  worker?.addEventListener('statechange', () => void tell())
  void tell()
}

/**
 * Waits until this page has loaded nothing for a while, but not for ever. To replace a worker
 * Chromium stops it; a request that comes just then starts it again, and it stays until no request
 * has come for 30 s. A page that opens asks for much.
 */
async function quiet(): Promise<void> {
  let before = -1
  for (let k = 0; k < 10; k++) {
    const loaded = performance.getEntriesByType('resource').length
    if (loaded === before) return
    before = loaded
    await new Promise((wake) => setTimeout(wake, 1500))
  }
}

/** Asks whether there is a newer build. */
export const look = (): void => void kept?.update().catch(() => undefined)

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault() // the settings offer it, when the player looks for it
  app.install = () => {
    app.install = null // a browser lets us ask once
    void (event as InstallEvent).prompt()
  }
})
addEventListener('appinstalled', () => (app.install = null))
