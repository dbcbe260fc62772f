/** The tables that wait for players, as the lobby tells them, and one's own. */

import { reach } from '../api/reach.svelte'
import * as server from '../api/server'
import type { ListedTable } from '../api/schema'
import { lobby } from './lobby.svelte'

let mine: ListedTable[] = $state.raw([])

export const openTables = (): ListedTable[] => lobby.open
export const myTables = (): ListedTable[] => mine

export async function loadLists(): Promise<void> {
  if (document.hidden || reach.lost) return
  try {
    mine = await server.tables('mine')
  } catch {
    // The page says already that the server cannot be reached.
  }
}
