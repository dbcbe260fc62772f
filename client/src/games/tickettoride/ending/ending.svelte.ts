/** The end of a game: counted once when it comes, else shown as it is. */

import { still } from '../../../shell/screen.svelte'
import { sound } from '../../../shell/sound'
import { StepCounter } from '../../stepCounter.svelte'
import type { Drafting } from '../turn/drafting.svelte'
import { countSteps, type Step } from './count'

const FIRST_MS = 700
const STEP_MS = 550

export class Ending extends StepCounter<Step> {
  private readonly turn: Drafting['turn']

  constructor({ turn, past }: Drafting) {
    super(() => (turn.view.finished ? countSteps(turn.view.scores) : []), FIRST_MS, STEP_MS)
    this.turn = turn
    if (past || turn.view.finished || still()) this.skip()
    $effect(() => {
      if (!turn.view.finished || past) return
      if (!this.over) sound(this.step?.kind === 'ticket' ? 'stamp' : 'points')
      else if (this.counted) sound('finale')
      this.counted ||= !this.over
    })
  }

  private counted = false // whether this page has seen the counting

  /** The tickets that are turned over, each as its seat and its name. */
  readonly turned = $derived.by(() => {
    const { step, all } = this
    const told = this.over ? all : all.slice(0, all.indexOf(step!) + 1)
    return new Set(told.map(({ seat, ticket }) => `${seat} ${ticket}`))
  })
  /** The seats whose nets are lit at last. */
  readonly winners: readonly number[] = $derived.by(() =>
    this.over && this.turn.view.finished ? (this.turn.table.outcome?.winners ?? []) : [],
  )
}
