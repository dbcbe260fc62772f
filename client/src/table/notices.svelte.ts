/**
 * What happens at the table, one turn after another: each stays long enough to be read.
 *
 * Ticket to Ride makes them in `words/telling.svelte.ts`, and its `Play` shows them. What somebody
 * does is answered by `tell` of `table/turn.svelte.ts`; what concerns every page stands in
 * `App.svelte`.
 */

import { untrack } from 'svelte'

const READ_MS = 1600

export interface Notice {
  /** The number of the turn. */
  turn: number
  seat: number
  text: string
}

export class Notices<N extends Notice> {
  shown: N | null = $state.raw(null)
  private queue: N[] = $state.raw([])
  private last = 0 // the newest turn that was told
  private until = 0 // when the notice that is shown has been read

  /** `all` are the notices of the game so far; those of before the page are no news. */
  constructor(
    all: () => readonly N[],
    private readonly mine: (seat: number) => boolean,
  ) {
    this.shown = all().at(-1) ?? null
    this.last = this.shown?.turn ?? 0
    $effect(() => {
      const notices = all()
      untrack(() => this.follow(notices))
    })
    $effect(() => {
      if (!this.queue.length) return
      const wait = setTimeout(() => this.next(), Math.max(0, this.until - Date.now()))
      return () => clearTimeout(wait)
    })
  }

  /** What happened but was not told yet. */
  get waiting(): readonly N[] {
    return this.queue
  }

  private follow(notices: readonly N[]): void {
    const newest = notices.at(-1)?.turn ?? 0
    if (newest < this.last) {
      // Something was taken back: what is told is no longer true.
      ;[this.queue, this.shown] = [[], notices.at(-1) ?? null]
    } else {
      // The second card of a turn belongs to its first.
      const latest = (one: N) => notices.findLast((other) => other.turn === one.turn) ?? one
      if (this.shown) this.shown = latest(this.shown)
      const queue = [...this.queue.map(latest), ...notices.filter((one) => one.turn > this.last)]
      // A player who has moved since has seen enough of what was before.
      const own = queue.findLastIndex((one) => this.mine(one.seat))
      this.queue = queue.slice(Math.max(0, own))
    }
    this.last = newest
  }

  private next(): void {
    const [first, ...rest] = this.queue
    ;[this.shown, this.queue] = [first ?? null, rest]
    this.until = Date.now() + READ_MS
  }
}
