/** The counting at the end of a round: whose lines are still to be counted, and how far it is. */

import { untrack } from 'svelte'
import { announce } from '../../../shell/announce.svelte'
import { sound } from '../../../shell/sound'
import { say } from '../../../shell/texts.svelte'
import { StepCounter } from '../../stepCounter.svelte'
import { linesOf } from '../board/lines'
import type { Drafting } from '../turn/drafting.svelte'
import { type Count, countLine } from './count'

const FIRST_MS = 700
const STEP_MS = 380

export class RoundCount {
  private counted: { round: number; seats: number[] } | null = $state.raw(null)
  private seen = 0 // rounds that were over when the page looked last; -1 for none
  private readonly counting: StepCounter<Count>

  constructor(private readonly drafting: Drafting) {
    this.counting = new StepCounter(
      () => (this.active ? countLine(this.line) : []),
      FIRST_MS,
      STEP_MS,
    )
    $effect(() => {
      const { past, turn } = this.drafting
      const { view, mine } = turn
      const over = view.finished ? view.round : view.round - 1
      const before = this.seen
      this.seen = Math.max(before, over) || -1
      // Who only watches is not stopped.
      if (before !== 0 && over > Math.max(before, 0) && !past && mine.length)
        untrack(() => this.count(over, mine))
    })
  }

  get active(): boolean {
    return this.counted !== null
  }
  /** The round that is counted; 0 for none. */
  get round(): number {
    return this.counted?.round ?? 0
  }
  /** What is counted just now. */
  get step(): Count {
    return this.counting.step!
  }
  get seat(): number {
    return this.counted!.seats[0]!
  }
  get sheet() {
    return this.drafting.turn.view.sheets[this.seat]!
  }
  /** The score of the line that is counted. */
  get line() {
    return this.sheet.score.lines[this.round - 1]!
  }
  /** The lines of the seat up to this round. */
  readonly lines = $derived.by(() =>
    this.active ? linesOf(this.drafting.city, this.sheet.lines).slice(0, this.round) : [],
  )

  /** Shows the next seat of this screen, or the game again. */
  next(): void {
    const { round, seats } = this.counted!
    if (seats.length > 1) this.count(round, seats.slice(1))
    else this.counted = null
  }

  private count(round: number, seats: number[]): void {
    this.counted = { round, seats }
    this.counting.begin()
    const values = { round, points: this.line.points, total: this.sheet.score.total }
    announce(say('web.nextstation.heard_round', values))
    sound('round')
  }
}
