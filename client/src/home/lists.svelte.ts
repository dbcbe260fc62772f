/** The tables that wait for players, and one's own, asked for again while the page is seen. */

import { reach } from '../api/reach.svelte'
import * as server from '../api/server'
import type { ListedTable } from '../api/schema'

let shown: { open: ListedTable[]; mine: ListedTable[] } = $state.raw({ open: [], mine: [] })

export const openTables = (): ListedTable[] => shown.open
export const myTables = (): ListedTable[] => shown.mine

export async function loadLists(): Promise<void> {
  if (document.hidden || reach.lost) return
  try {
    const [open, mine] = await Promise.all([server.tables('open'), server.tables('mine')])
    shown = { open, mine }
  } catch {
    // The page says already that the server cannot be reached.
  }
}
