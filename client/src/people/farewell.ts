/** What this window keeps of an account between two visits of the account's page. */

import * as server from '../api/server'
import { passing } from '../shell/storage'

const LEFT = 'headway-left'
const WELCOME = 'headway-welcome'

export interface Farewell {
  name: string
  /** How many games go on without the one who has signed out. */
  games: number
}

/** Who signed out here last, and what waits for them; null if nobody did. */
export const farewell = (): Farewell | null => passing.readJson(LEFT) as Farewell | null

/** Signs out, and keeps how many games wait. */
export async function signOut() {
  const [me, tables] = await Promise.all([server.me(), server.tables('mine')])
  const games = tables.filter((table) => !table.finished).length
  const guest = await server.signOut()
  passing.writeJson(LEFT, { name: me.name, games })
  return guest
}

/** Notes that somebody is here with an account, perhaps a new one. */
export function arrived(fresh: boolean): void {
  passing.remove(LEFT)
  if (fresh) passing.write(WELCOME, '1')
}

/** Whether an account was just opened here; says so once. */
export function hasJustJoined(): boolean {
  const fresh = passing.read(WELCOME) !== null
  passing.remove(WELCOME)
  return fresh
}
