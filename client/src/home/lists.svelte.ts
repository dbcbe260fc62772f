/** My own tables; the lobby tells those of others. */

import { reach } from '../api/reach.svelte'
import * as server from '../api/server'
import type { ListedTable } from '../api/schema'

let mine: ListedTable[] = $state.raw([])

export const myTables = (): ListedTable[] => mine

/** Asks for my tables; a page that nobody sees asks only if it must, for its title and badge. */
export async function loadLists(unseen = false): Promise<void> {
  if ((document.hidden && !unseen) || reach.lost) return
  try {
    mine = await server.tables('mine')
  } catch {
    // The page says already that the server cannot be reached.
  }
}
