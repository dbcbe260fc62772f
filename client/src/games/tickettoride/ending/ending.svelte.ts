/** The end of a game: counted once when it comes, else shown as it is. */

import { still } from '../../../shell/screen.svelte'
import { sound } from '../../../shell/sound'
import { StepCounter } from '../../stepCounter.svelte'
import { countSteps, type Step } from './count'
import type { View } from '../types'

const FIRST_MS = 700
const STEP_MS = 550

export class Ending extends StepCounter<Step> {
  constructor(
    private readonly view: () => View,
    past: boolean,
  ) {
    super(() => (view().finished ? countSteps(view().scores) : []), FIRST_MS, STEP_MS)
    if (past || view().finished || still()) this.skip()
    $effect(() => {
      if (!view().finished || past) return
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
  /** The seat whose net is lit at last; null where several have won. */
  readonly winner = $derived.by(() => {
    const { finished, ranking } = this.view()
    return finished && this.over ? (ranking[0] ?? null) : null
  })
}
