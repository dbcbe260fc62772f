/** The moment that a review showed last, so that coming back to its page shows it again. */

import { passing } from '../shell/storage'

const KEY = 'headway-review-place'

/** The turn that a seat's review showed last; null for its end, or if it was another review. */
export function keptPlace(id: string, seat: number): number | null {
  const kept = passing.readJson(KEY) as { id: string; seat: number; at: number | null } | null
  return kept?.id === id && kept.seat === seat ? kept.at : null
}

/** Keeps the turn that the review of a table shows; null for the end of the game. */
export function keepPlace(id: string, seat: number, at: number | null): void {
  if (id) passing.writeJson(KEY, { id, seat, at })
}
