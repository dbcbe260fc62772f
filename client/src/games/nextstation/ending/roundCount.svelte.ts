/** The counting at the end of a round: whose lines are still to be counted, and how far it is. */

import { untrack } from 'svelte'
import { announce } from '../../../shell/announce.svelte'
import { still } from '../../../shell/preferences.svelte'
import { sound } from '../../../shell/sound'
import { say } from '../../../shell/texts.svelte'
import type { Turn } from '../../../table/turn.svelte'
import type { City } from '../board/city'
import { type Count, countLine } from './count'
import type { Draft } from '../turn/draft'
import { linesOf } from '../board/lines'
import type { View } from '../types'

const FIRST_MS = 700
const STEP_MS = 380

interface Counted {
  round: number
  seats: number[]
  steps: Count[]
  step: number
}

export class RoundCount {
  private counted = $state<Counted | null>(null)
  private seen = 0 // rounds that were over when the page looked last; -1 for none

  constructor(
    private readonly city: () => City,
    private readonly turn: () => Turn<View, Draft>,
  ) {
    $effect(() => {
      const { view, source, mine } = this.turn()
      const over = view.finished ? view.round : view.round - 1
      const before = this.seen
      this.seen = Math.max(before, over) || -1
      const counts = source.kind === 'live' || source.kind === 'exercise'
      // Who only watches is not stopped.
      if (before !== 0 && over > Math.max(before, 0) && counts && mine.length)
        untrack(() => this.count(over, mine))
    })
    $effect(() => {
      const { counted } = this
      if (!counted || counted.step >= counted.steps.length - 1) return
      const wait = setTimeout(() => counted.step++, counted.step ? STEP_MS : FIRST_MS)
      return () => clearTimeout(wait)
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
    const { steps, step } = this.counted!
    return steps[step]!
  }
  get seat(): number {
    return this.counted!.seats[0]!
  }
  /** The lines of the seat up to this round. */
  readonly lines = $derived.by(() =>
    this.counted ? linesOf(this.city(), this.sheet.lines).slice(0, this.round) : [],
  )
  get sheet() {
    return this.turn().view.sheets[this.seat]!
  }

  /** Shows the next seat of this screen, or the game again. */
  next(): void {
    const { round, seats } = this.counted!
    if (seats.length > 1) this.count(round, seats.slice(1))
    else this.counted = null
  }

  private count(round: number, seats: number[]): void {
    const { score } = this.turn().view.sheets[seats[0]!]!
    const line = score.lines[round - 1]!
    const steps = countLine(line)
    this.counted = { round, seats, steps, step: still() ? steps.length - 1 : 0 }
    const values = { round, points: line.points, total: score.total }
    announce(say('web.nextstation.heard_round', values))
    sound('round')
  }
}
