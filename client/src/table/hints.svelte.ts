/** Hints at a training table: asked for by a button, kept for the moment they belong to. */

import { reasonOf } from '../shell/texts.svelte'
import * as server from '../api/server'
import type { Hint, TableView } from '../api/schema'

export class Hints {
  thinking = $state(false)
  private answer: { moment: string; hint: Hint | null; failed: string } | null = $state.raw(null)

  /** Whether there are hints at this table: in training, and nobody else could be wronged. */
  offered(table: TableView): boolean {
    return table.training && table.seats.filter((seat) => seat.kind !== 'bot').length === 1
  }

  /** Asks what is best for a seat now. */
  async ask(table: string, seat: number, moment: string): Promise<void> {
    if (this.thinking) return
    this.thinking = true
    this.answer = null
    try {
      this.answer = { moment, hint: await server.hint(table, seat), failed: '' }
    } catch (error) {
      this.answer = { moment, hint: null, failed: reasonOf(error) }
    } finally {
      this.thinking = false
    }
  }

  /** The hint of a moment, if it was asked for. */
  at(moment: string): Hint | null {
    return this.answer?.moment === moment ? this.answer.hint : null
  }

  /** The best move of a moment, to be shown on the board. */
  best(moment: string): string | null {
    return this.at(moment)?.moves[0]?.move ?? null
  }

  /** Why there is no hint in a moment in which one was asked for. */
  failed(moment: string): string {
    return this.answer?.moment === moment ? this.answer.failed : ''
  }
}
