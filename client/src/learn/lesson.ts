/**
 * A first game that explains itself. What is said, when, and what it points at is a list in the
 * folder of each game; here is how the list is gone through. Nothing here knows a rule: every
 * condition looks at what the server's view says.
 */

import type { NewSeat } from '../api/schema'
import type { Values } from '../shell/fill'

/** What a condition can look at. */
export interface Situation<View = unknown> {
  view: View
  /** The learner's own seat. */
  seat: number
  /** The learner's legal moves; none while others think. */
  legal: readonly string[]
  /** How many moves the learner has made. */
  moves: number
  finished: boolean
}

export interface Step<View = unknown> {
  /** Its text in the catalogue, behind the lesson's own prefix. */
  name: string
  /** What it points at, as selectors: the first one that finds something; else nothing. */
  at?: readonly string[]
  /** Shows how a section is dragged. */
  drag?: boolean
  /** Only said if this holds when its turn has come. */
  when?(situation: Situation<View>): boolean
  /** Waits until the learner has made any move; otherwise a button continues. */
  waits?: boolean
  /** What fills the gaps of the text. */
  values?(situation: Situation<View>): Values
}

export interface Lesson<View = unknown> {
  /** Where its texts are in the catalogue: `web.nextstation.learn`. */
  texts: string
  /** What is dealt: the same for everybody who learns. */
  seed: number
  seats: NewSeat[]
  /** One after the other, at the beginning. */
  steps: Step<View>[]
  /** Each once, the first time that it holds. */
  remarks: Step<View>[]
  /** One after the other, when the game is over. */
  end: Step<View>[]
}

/** How far a learner has come. */
export interface Place {
  part: 'steps' | 'remarks' | 'end' | 'over'
  /** The step of the part; of the remarks, the one that is said just now, or -1. */
  index: number
  /** Moves that were made when it came up. */
  since: number
  /** What was said already; a remark of the same name is not made again. */
  said: string[]
}

export const beginning: Place = { part: 'steps', index: 0, since: 0, said: [] }

/** What is said at a place, if anything. */
export function saying(lesson: Lesson, place: Place): Step | null {
  return place.part === 'over' ? null : (lesson[place.part][place.index] ?? null)
}

/** The place after something has happened at the table. */
export function settle(lesson: Lesson, place: Place, situation: Situation): Place {
  if (place.part === 'over') return place
  if (situation.finished && place.part !== 'end')
    return enter(lesson, { ...place, part: 'end', index: 0 }, situation)
  // A move that was taken back is to be made again.
  const since = Math.min(place.since, situation.moves)
  const moved = situation.moves > since
  if (place.part === 'remarks')
    return place.index >= 0 && !moved ? { ...place, since } : remark(lesson, place, situation)
  return saying(lesson, place)?.waits && moved
    ? onward(lesson, place, situation)
    : { ...place, since }
}

/** The place after the learner has read what is said, or done it. */
export function onward(lesson: Lesson, place: Place, situation: Situation): Place {
  if (place.part === 'remarks') return remark(lesson, place, situation)
  return enter(lesson, { ...place, index: place.index + 1 }, situation)
}

/** The first step from a place on that fits now; behind the last one, the next part. */
function enter(lesson: Lesson, { part, index, said }: Place, situation: Situation): Place {
  const list = part === 'end' ? lesson.end : lesson.steps
  const next = list.findIndex((step, i) => i >= index && (step.when?.(situation) ?? true))
  const place = { part, index: next, said, since: situation.moves }
  if (next >= 0) return { ...place, said: [...said, list[next]!.name] }
  return part === 'end'
    ? { ...place, part: 'over' }
    : remark(lesson, { ...place, part: 'remarks' }, situation)
}

/** The first remark that fits and was not made yet, if there is one. */
function remark(lesson: Lesson, place: Place, situation: Situation): Place {
  const index = lesson.remarks.findIndex(
    (candidate) => !place.said.includes(candidate.name) && candidate.when?.(situation),
  )
  const said = index < 0 ? place.said : [...place.said, lesson.remarks[index]!.name]
  return { ...place, index, said, since: situation.moves }
}
