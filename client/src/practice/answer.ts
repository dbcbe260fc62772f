/** Which move the answer to a puzzle is compared with. */

import type { MoveLoss, PracticeAnswer } from '../api/schema'

/** The move whose loss is told: the one that was tried, or the second best if that was the best. */
export function judged(answer: PracticeAnswer, tried: string): MoveLoss | undefined {
  const [, ...others] = answer.moves
  if (!answer.solved) return others.find((move) => move.move === tried)
  return others.toSorted((a, b) => a.loss - b.loss)[0]
}
