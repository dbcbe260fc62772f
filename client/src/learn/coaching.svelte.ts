/** The coach of one table: follows the game and keeps the place in the lesson. */

import type { LiveTable } from '../api/live.svelte'
import { finish, keepLesson, lessonAt } from './learned'
import {
  beginning,
  type Lesson,
  type Situation,
  onward,
  type Place,
  saying,
  settle,
} from './lesson'

export class Coaching {
  private place: Place = $state.raw(beginning)

  constructor(
    readonly lesson: Lesson,
    private readonly live: LiveTable,
  ) {
    this.place = lessonAt(live.id) ?? { ...beginning, part: 'over' }
  }

  private get situation(): Situation {
    const table = this.live.table!
    const seat = table.seats.find((head) => head.mine)?.seat ?? 0
    return {
      view: table.views[`${seat}`] ?? Object.values(table.views)[0],
      seat,
      legal: table.legal[`${seat}`] ?? [],
      moves: table.log.filter((line) => line.seat === seat).length,
      finished: table.outcome !== null,
    }
  }

  /** What is said now. */
  readonly step = $derived.by(() => saying(this.lesson, this.place))
  /** What fills the gaps of its text. */
  readonly values = $derived.by(() => this.step?.values?.(this.situation) ?? {})
  /** Which of how many steps this is; nothing among the remarks. */
  readonly progress = $derived.by(() => {
    const { part, index } = this.place
    return part === 'steps' ? { step: index + 1, steps: this.lesson.steps.length } : null
  })

  /** Looks at the table again. */
  attend(): void {
    this.go(settle(this.lesson, this.place, this.situation))
  }

  /** The learner has read what was said. */
  next(): void {
    this.go(onward(this.lesson, this.place, this.situation))
  }

  /** The learner wants to play without. */
  end(): void {
    this.go({ ...this.place, part: 'over' })
  }

  private go(place: Place): void {
    if (JSON.stringify(place) === JSON.stringify(this.place)) return
    this.place = place
    if (place.part === 'over') finish(this.live.table!.game, this.live.table!.map)
    else keepLesson(this.live.id, place)
  }
}
