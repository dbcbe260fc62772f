/** What a seat's clock shows. */

import type { Clock, Clocks } from '../api/schema'

/** The time of a seat in seconds, and whether it is running; null for a seat without one. */
export interface SeatTime {
  left: number
  running: boolean
}

const DAY_SECONDS = 86_400

/** So long after the end of a time the server has moved for the seat, if it is there at all. */
const OVER_SECONDS = 3

/**
 * The clock of a seat at a time of the server, in seconds. A bank stands still between turns.
 * Nobody knows the time of a seat whose end passed without news.
 */
export function seatTime(clocks: Clocks, seat: number, at: number): SeatTime | null {
  const end = clocks.ends?.[`${seat}`]
  if (end !== undefined && at > end + OVER_SECONDS) return null
  if (end !== undefined) return { left: Math.max(0, end - at), running: true }
  const bank = clocks.banks?.[`${seat}`]
  return bank === undefined ? null : { left: bank, running: false }
}

/** How much is left of a whole time, from 0 to 1: of a turn, or of a bank as it was at first. */
export function shareLeft(clock: Clock, left: number): number {
  const whole = clock.seconds ?? (clock.days ?? 0) * DAY_SECONDS
  return whole ? Math.min(1, left / whole) : 1
}

/** From here on a clock shows tenths. */
export const SHORT_SECONDS = 10

/** A time in the two units that matter: `9` and `4` tenths, minutes and seconds, … */
export interface Reading {
  unit: 'seconds' | 'minutes' | 'hours' | 'days'
  whole: number
  part: number
}

/** Rounds down, so that a time that is over reads 0.0 and nothing reads more than there is. */
export function reading(left: number): Reading {
  const of = (unit: Reading['unit'], size: number, parts: number): Reading => ({
    unit,
    whole: Math.floor(left / size),
    part: Math.floor((left % size) / (size / parts)),
  })
  if (left < SHORT_SECONDS) return of('seconds', 1, 10)
  if (left < 3600) return of('minutes', 60, 60)
  if (left < DAY_SECONDS) return of('hours', 3600, 60)
  return of('days', DAY_SECONDS, 24)
}
