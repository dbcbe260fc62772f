/** What a player asks of the server with a button: it takes a while, and may be refused. */

import { go } from './router.svelte'
import { reasonOf } from './texts.svelte'

/** Handles a form: the page stays, and does some work. */
export const submits = (work: () => unknown) => (event: SubmitEvent) => {
  event.preventDefault()
  void work()
}

export class Attempt {
  /** Whether an answer is waited for. */
  busy = $state(false)
  /** Why the last attempt failed; empty if it did not. */
  failed = $state('')

  /** Does some work. Returns whether it was done; if not, `failed` says why. */
  run = async (work: () => Promise<unknown>): Promise<boolean> => {
    this.busy = true
    this.failed = ''
    try {
      await work()
    } catch (error) {
      this.failed = reasonOf(error)
    }
    this.busy = false
    return !this.failed
  }

  /** Goes to the table that the work returns; busy until its page is here. */
  async goTo(work: () => Promise<{ id: string }>): Promise<void> {
    const done = await this.run(async () => go(`/t/${(await work()).id}`))
    this.busy = done
  }
}
