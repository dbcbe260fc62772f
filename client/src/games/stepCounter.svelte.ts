/** Steps that are shown one after the other by themselves, as points are counted. */

import { still } from '../shell/screen.svelte'

export class StepCounter<Step> {
  private at = $state(0)

  constructor(
    private readonly steps: () => readonly Step[],
    firstMs: number,
    stepMs: number,
  ) {
    $effect(() => {
      if (this.over) return
      const wait = setTimeout(() => this.at++, this.at ? stepMs : firstMs)
      return () => clearTimeout(wait)
    })
  }

  protected readonly all = $derived.by(() => this.steps())
  /** The step that is shown; the last one when all are over. */
  readonly step = $derived.by(() => this.all[Math.min(this.at, this.all.length - 1)])
  /** Whether no more steps come. */
  readonly over = $derived.by(() => this.at >= this.all.length - 1)

  /** Begins with the first step; where nothing moves, with the last one. */
  begin(): void {
    this.at = still() ? Infinity : 0
  }

  /** Shows the last step at once. */
  skip(): void {
    this.at = Infinity
  }
}
