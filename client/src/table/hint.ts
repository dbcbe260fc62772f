/** What a hint comes to: the best move beside the one that the player has in mind. */

import type { Hint } from '../api/schema'

type Judged = Hint['moves'][number]

export interface Verdict {
  best: Judged
  /** What it is compared with: the player's choice, else the second best; null if it is alone. */
  other: Judged | null
  /** Whether the player has picked the best move already. */
  chosen: boolean
  /** How much more the best one is worth, in points or in chance to win. */
  gain: number
  /** Whether the gain is within the error of the search, for the other one or for all. */
  even: 'no' | 'both' | 'all'
}

/** Whether a difference says nothing: it is within its standard error. */
const within = (a: Judged, b: Judged): boolean => a.value - b.value <= Math.hypot(a.error, b.error)

export function weigh({ moves }: Hint, picked: string | null): Verdict {
  const best = moves[0]!
  const choice = moves.find((rated) => rated.move === picked)
  const other = (choice && choice !== best ? choice : moves[1]) ?? null
  const even = !other
    ? 'no'
    : moves.every((rated) => within(best, rated))
      ? 'all'
      : within(best, other)
        ? 'both'
        : 'no'
  return { best, other, chosen: choice === best, gain: other ? best.value - other.value : 0, even }
}
