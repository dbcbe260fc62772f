/** The number that a player sees during the game. */

import type { ScoreSheet } from '../types'

/**
 * What is built so far. The loop's stations that are still missed and the modules of a game alone
 * are debts: they stand beside the number, and count at the end.
 */
export const built = (score: ScoreSheet, finished: boolean): number =>
  finished ? score.total : score.total - score.loop - score.deduction

/** The debts of a sheet that is not finished, with the key of the words for each. */
export const debts = (score: ScoreSheet): { key: 'loop_debt' | 'modules_debt'; points: number }[] =>
  (
    [
      { key: 'loop_debt', points: score.loop },
      { key: 'modules_debt', points: score.deduction },
    ] as const
  ).filter((debt) => debt.points < 0)
