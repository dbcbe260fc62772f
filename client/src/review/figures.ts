/** The figures of a review as they are printed; `headway.reviews` prints the same. */

import type { SeatReview, Turn } from '../api/schema'

/** The parts of a sum in their order; the text `review.NAME` names each. */
export const PARTS = ['start', 'luck', 'loss', 'others', 'recount', 'result'] as const
export type Part = (typeof PARTS)[number]

/** Rounds thousandths to tenths, halves away from zero. */
export const tenths = (thousandths: number): number =>
  Math.sign(thousandths) * Math.floor((Math.abs(thousandths) + 50) / 100)

/** Rounds thousandths to whole units, halves away from zero. */
export const wholes = (thousandths: number): number =>
  Math.sign(thousandths) * Math.floor((Math.abs(thousandths) + 500) / 1000)

/**
 * The parts of a sum as they are printed, so that the figures add up: differences of the rounded
 * running sum, not rounded differences.
 */
export function printed(parts: readonly number[], round = tenths): number[] {
  let running = 0
  return parts.map((part) => {
    const before = round(running)
    running += part
    return round(running) - before
  })
}

/** The printed figures of a seat, in tenths; all but the last add up to the last. */
export function sumOf(seat: SeatReview, round = tenths): Record<Part, number> {
  const { start, luck, loss, others, recount } = seat
  const figures = printed([start, luck, -loss, others, recount], round)
  const [a, b, c, d, e] = figures as [number, number, number, number, number]
  return { start: a, luck: b, loss: c, others: d, recount: e, result: a + b + c + d + e }
}

/** The same in whole units. */
export const wholeSum = (seat: SeatReview) => sumOf(seat, wholes)

/** The parts that a sum shows: those that are nothing are left out, unless all sums have them. */
export const shownParts = (sum: Record<Part, number>): Part[] =>
  PARTS.filter((part) => (part !== 'others' && part !== 'recount') || sum[part] !== 0)

/** The indices of the turning points, the largest loss first: the number that marks each. */
export const byLoss = (turns: readonly Turn[], turning: readonly number[]): number[] =>
  [...turning].sort((a, b) => turns[b]!.loss - turns[a]!.loss || a - b)

/** All turns with a mark: each of them can be tried again. */
export const marked = (turns: readonly Turn[]): number[] =>
  turns.flatMap((turn, i) => (turn.mark ? [i] : []))

/** The value after the card of a turn, and after its move. */
export const withCard = (turn: Turn): number => turn.expected + turn.luck
export const afterMove = (turn: Turn): number => withCard(turn) - turn.loss + (turn.others ?? 0)
