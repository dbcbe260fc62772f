/** Where the table on the page comes from, and what can be done at it. */

import type { LiveTable } from '../api/live.svelte'
import type { TableView, Why } from '../api/schema'

export interface TableSource {
  /**
   * `live`: a table of the server, followed by its socket. `replay`: a game that is over, moment by
   * moment. `paper`: a game played with pencils, written down here. `exercise`: one decision.
   */
  readonly kind: 'live' | 'replay' | 'paper' | 'exercise'
  /** The table as it is now; undefined until it is known. */
  readonly table: TableView | undefined
  /** Makes a move for a seat; an illegal one is refused. */
  move(seat: number, text: string): Promise<void>
  /** Takes a seat's last move back. */
  undo(seat: number): Promise<void>
  /** Returns why a seat cannot make a move. */
  why(seat: number, text: string): Promise<Why>
}

/** Whether people and bots play at the table now. */
export const isLive = (source: TableSource): source is LiveTable => source.kind === 'live'
