/** After the last round: sites and interchanges are counted on the board, then comes the poster. */

import { untrack } from 'svelte'
import { sound } from '../../../shell/sound'
import { StepCounter } from '../../stepCounter.svelte'
import type { ScoreSheet } from '../types'
import type { City } from '../board/city'
import { linesOf, stationsOf } from '../board/lines'
import type { Drafting } from '../turn/drafting.svelte'
import type { RoundCount } from './roundCount.svelte'

const STEP_MS = 140
const REST_STEPS = 6 // how long the last one stays

/** What is counted: a part of the score, and the stations that have popped up so far. */
export interface Tally {
  part: 'tourist' | 'interchanges'
  popped: string[]
}

/** All steps: the sites that lines reach, then the stations where lines meet. */
export function tallies(city: City, score: ScoreSheet, reached: ReadonlySet<string>): Tally[] {
  const sites = city.data.stations.filter((s) => s.tourist && reached.has(s.name))
  const parts = [
    { part: 'tourist', names: score.tourist ? sites.map((s) => s.name) : [] },
    { part: 'interchanges', names: score.interchanges ? Object.keys(score.lines_at) : [] },
  ] as const
  return parts.flatMap(({ part, names }) => {
    const steps = names.map((_, k): Tally => ({ part, popped: names.slice(0, k + 1) }))
    return steps.length ? [...steps, ...Array<Tally>(REST_STEPS).fill(steps.at(-1)!)] : []
  })
}

export class Finale {
  private played = false // whether the game went on while the page showed it
  private begun = $state(false)
  private readonly counting: StepCounter<Tally>

  constructor(
    private readonly drafting: Drafting,
    private readonly count: RoundCount,
  ) {
    this.counting = new StepCounter(() => (this.begun ? this.steps : []), STEP_MS, STEP_MS)
    $effect(() => {
      const { past, turn } = this.drafting
      if (!turn.view.finished) this.played = !past
      else if (this.played && !this.count.active) untrack(() => this.begin())
    })
    $effect(() => {
      if (this.step) sound(this.step.part === 'tourist' ? 'site' : 'interchange')
    })
  }

  private readonly steps = $derived.by(() => {
    const { city, sheet } = this.drafting
    const sections = linesOf(city, sheet.lines).flatMap((line) => line.sections)
    return tallies(city, sheet.score, stationsOf(city, { sections }))
  })

  /** What is counted just now; undefined before and after. */
  get step(): Tally | undefined {
    return this.begun && !this.counting.over ? this.counting.step : undefined
  }
  /** Whether the poster comes step by step. */
  get told(): boolean {
    return this.begun
  }

  /** Goes on to the poster. */
  skip(): void {
    this.counting.skip()
  }

  private begin(): void {
    if (this.begun) return
    this.begun = true
    this.counting.begin()
  }
}
