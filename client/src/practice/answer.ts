/** What an answer to a puzzle was worth, in words. */

import type { MoveLoss, PracticeAnswer } from '../api/schema'
import { value } from '../review/words'
import { say } from '../shell/texts.svelte'

/** The move whose loss is told: the one that was tried, or the second best if that was the best. */
export function judged(answer: PracticeAnswer, tried: string): MoveLoss | undefined {
  const [, ...others] = answer.moves
  if (!answer.solved) return others.find((move) => move.move === tried)
  return others.toSorted((a, b) => a.loss - b.loss)[0]
}

/** A loss with its error, in points or percents. */
export const loss = (answer: PracticeAnswer, move: MoveLoss): string =>
  say(`web.practice.${answer.measure}`, {
    value: `${value(move.loss, 'points')} ± ${value(move.error, 'points')}`,
  })
