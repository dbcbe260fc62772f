/** Whether the holder of a seat is at the table. */

import type { SeatHead } from '../api/schema'

/**
 * `here`: connected. `away`: connected, but silent for so long that the others may let a bot play.
 * `offline`: not connected. `none`: a bot, a free seat, or a table where nobody else is.
 */
export type Presence = 'here' | 'away' | 'offline' | 'none'

/** The presence of a seat at a time of the server, in seconds. */
export function presenceOf(head: SeatHead, at: number): Presence {
  if (head.kind !== 'person') return 'none'
  if (head.mine) return 'here'
  if (!head.online) return 'offline'
  return head.away_at && head.away_at <= at ? 'away' : 'here'
}

/** Whether anybody else is at the table: then it matters who is there. */
export const inCompany = (seats: readonly SeatHead[]): boolean =>
  seats.some((head) => head.kind === 'person' && !head.mine)
