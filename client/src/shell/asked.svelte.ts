/** What the server is asked for while a component is there; asked again when it is back. */

import { reach } from '../api/reach.svelte'
import { Refused } from '../api/server'
import { every } from './ticking.svelte'

export class Asked<T> {
  /** The last answer; undefined while there is none. */
  value: T | undefined = $state.raw()
  /** Why the server refused to answer; empty if it did not. */
  refused = $state('')

  /** Asks now, and then so often, in milliseconds; once while that is 0. */
  constructor(
    private readonly ask: () => Promise<T>,
    pause: () => number = () => 0,
  ) {
    $effect(() => {
      if (!reach.lost) void this.again()
    })
    every(pause, () => document.hidden || reach.lost || void this.again())
  }

  async again(): Promise<void> {
    try {
      this.value = await this.ask()
      this.refused = ''
    } catch (error) {
      if (error instanceof Refused) this.refused = error.message // App says if nobody answers
    }
  }
}
