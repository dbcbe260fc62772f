/** What an answer to a puzzle was worth, in words. */

import type { MoveLoss, PracticeAnswer, Reason } from '../api/schema'
import { locale, say } from '../shell/texts.svelte'

const MOST_REASONS = 4

/** The move whose loss is told: the one that was tried, or the second best if that was the best. */
export function judged(answer: PracticeAnswer, tried: string): MoveLoss | undefined {
  const [, ...others] = answer.moves
  if (!answer.solved) return others.find((move) => move.move === tried)
  return others.toSorted((a, b) => a.loss - b.loss)[0]
}

/** A value in thousandths with one decimal. */
const decimal = (thousandths: number): string =>
  (Math.round(thousandths / 100) / 10).toLocaleString(locale(), {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })

/** A loss with its error, in points or percents. */
export function loss(
  { measure }: Pick<PracticeAnswer, 'measure'>,
  { loss, error }: { loss: number; error?: number },
): string {
  const value = error === undefined ? decimal(loss) : `${decimal(loss)} ± ${decimal(error)}`
  return error === undefined ? value : say(`web.practice.${measure}`, { value })
}

/** Points with their sign. */
export const points = (thousandths: number): string =>
  `${thousandths < 0 ? '−' : '+'}${decimal(Math.abs(thousandths))}`

/** The weightiest reasons; the server sends none that is uncertain. */
export const certain = (move: MoveLoss): Reason[] => (move.why ?? []).slice(0, MOST_REASONS)

/** The name of a part of the score. */
export function part(name: string): string {
  const [kind, n] = name.split(':')
  return say(`review.part.${kind}`, { n: n ?? '' })
}
