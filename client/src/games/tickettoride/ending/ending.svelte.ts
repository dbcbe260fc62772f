/** The end of a game: counted once when it comes, else shown as it is. */

import { sound } from '../../../shell/sound'
import { StepCounter } from '../../stepCounter.svelte'
import { countSteps, type Step } from './count'
import type { View } from '../types'

const FIRST_MS = 900
const STEP_MS = 1300

export class Ending extends StepCounter<Step> {
  constructor(view: () => View, past: boolean) {
    super(() => (view().finished ? countSteps(view().scores) : []), FIRST_MS, STEP_MS)
    if (past || view().finished) this.skip()
    $effect(() => {
      if (!this.over) sound('finale')
    })
  }
}
