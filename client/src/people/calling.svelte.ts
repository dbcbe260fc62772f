/** Whether this browser lets Headway call its player, and how it begins and ends. */

import * as server from '../api/server'
import type { NoticeChoices } from '../api/schema'
import { passing } from '../shell/storage'

/**
 * `unable`: this browser cannot be called; `blocked`: its player has forbidden it; `off`, `on`:
 * whether it is called; `failed`: its maker's service did not answer.
 */
export type Calling = 'asking' | 'unable' | 'blocked' | 'off' | 'on' | 'failed'

interface State {
  status: Calling
  /** Whether its player has asked to be called, on this page. */
  begun: boolean
  choices: NoticeChoices | undefined
}
export const calling: State = $state({ status: 'asking', begun: false, choices: undefined })

const RENEWED = 'headway-called'

/** The worker that shows notices; undefined where a page has none. */
const worker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
    ? navigator.serviceWorker.getRegistration()
    : undefined

const keysOf = (subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth! }
}

/** Finds out how things stand; tells the server once in a visit, which may have forgotten. */
export async function lookAtCalling(): Promise<void> {
  const registered = await worker().catch(() => undefined)
  if (!registered) return void (calling.status = 'unable')
  if (Notification.permission === 'denied') return void (calling.status = 'blocked')
  const known = await registered.pushManager.getSubscription().catch(() => null)
  calling.status = known && Notification.permission === 'granted' ? 'on' : 'off'
  if (calling.status !== 'on' || passing.read(RENEWED)) return
  calling.choices = await server.subscribe(keysOf(known!))
  passing.write(RENEWED, '1')
}

/** Asks the player, and then the server to call from now on. */
export async function beginCalling(): Promise<void> {
  calling.begun = true
  const registered = await worker()
  if (!registered) return void (calling.status = 'unable')
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    return void (calling.status = permission === 'denied' ? 'blocked' : 'off')
  }
  const { key } = await server.notices()
  // A browser keeps a subscription for the key that it was made with.
  await (await registered.pushManager.getSubscription())?.unsubscribe()
  let subscription: PushSubscription
  try {
    subscription = await registered.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key,
    })
  } catch {
    return void (calling.status = 'failed')
  }
  calling.choices = await server.subscribe(keysOf(subscription))
  calling.status = 'on'
  passing.write(RENEWED, '1')
}

/** Calls in this browser no more. */
export async function endCalling(): Promise<void> {
  calling.begun = false
  const subscription = await (await worker())?.pushManager.getSubscription()
  if (subscription) {
    calling.choices = await server.unsubscribe(subscription.endpoint)
    await subscription.unsubscribe()
  }
  calling.status = 'off'
}

/** Shows on the app's icon how many tables wait; browsers without such a badge do nothing. */
export function badge(waiting: number): void {
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
  const done = waiting ? setAppBadge?.call(navigator, waiting) : clearAppBadge?.call(navigator)
  done?.catch(() => undefined)
}
