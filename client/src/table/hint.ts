/** A hint in words: the best move, beside the one picked or the second best. */

import type { Hint } from '../api/schema'
import { say } from '../shell/texts.svelte'
import type { AnyTurn } from './turn.svelte'

type Judged = Hint['moves'][number]

interface Verdict {
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

/** Returns what the page says about the hint of this moment; empty if none was asked for. */
export function hintText(
  turn: AnyTurn,
  picked: string | null,
  name: (move: string) => string,
): string {
  if (!turn.askHint || !turn.acting) return ''
  if (turn.hints.thinking) return say('web.hint.thinking')
  const hint = turn.hints.at(turn.moment)
  return hint ? sentence(hint, picked, name) : turn.hints.failed(turn.moment)
}

function sentence(shown: Hint, picked: string | null, name: (move: string) => string): string {
  const { best, other, chosen, gain, even } = weigh(shown, picked)
  const values = {
    best: name(best.move),
    other: other ? name(other.move) : '',
    gain: worth(shown, gain),
  }
  if (!other) return say('web.hint.only', values)
  if (even === 'all') return say('web.hint.all_even', values)
  if (even === 'both') return say(chosen ? 'web.hint.chosen_even' : 'web.hint.even', values)
  return say(chosen ? 'web.hint.chosen' : 'web.hint.best', values)
}

function worth(shown: Hint, gain: number): string {
  const size = shown.measure === 'win' ? 100 * gain : gain
  const rounded = size < 10 ? Math.round(10 * size) / 10 : Math.round(size)
  if (shown.measure === 'win') return say('web.hint.win', { percent: rounded })
  return say('web.hint.points', { points: rounded })
}
