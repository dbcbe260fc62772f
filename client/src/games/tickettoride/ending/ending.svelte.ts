/** The end of a game: counted once when it comes, else shown as it is. */

import { sound } from '../../../shell/sound'
import { countSteps } from './count'
import type { View } from '../types'

const FIRST_MS = 900
const STEP_MS = 1300

export class Ending {
  private counted = $state(0)

  constructor(
    private readonly view: () => View,
    private readonly past: boolean,
  ) {
    if (view().finished) this.skip()
    $effect(() => {
      if (!this.counting) return
      if (this.counted === 0) sound('round')
      const wait = setTimeout(() => this.counted++, this.counted ? STEP_MS : FIRST_MS)
      return () => clearTimeout(wait)
    })
  }

  private readonly steps = $derived.by(() =>
    this.view().finished ? countSteps(this.view().scores) : [],
  )
  /** What is counted just now; the last step when all is counted. */
  readonly step = $derived.by(() => this.steps[Math.min(this.counted, this.steps.length - 1)])
  readonly counting = $derived.by(
    () => this.view().finished && !this.past && this.counted < this.steps.length - 1,
  )

  /** Shows the result at once. */
  skip(): void {
    this.counted = Infinity
  }
}
