/** The clocks of a table's seats by the server's time; without the server nobody knows it. */

import { reach } from '../api/reach.svelte'
import { ticking } from '../shell/ticking.svelte'
import { seatTime, type SeatTime, SHORT_SECONDS } from './clock'
import { isLive, type TableSource } from './source'

const USUAL_MS = 250
const HURRIED_MS = 50
const IDLE_MS = 1000 // so often at a table without clocks, for who has been gone for how long

export class SeatClock {
  private readonly tick: { readonly at: number }

  constructor(private readonly source: TableSource) {
    this.tick = ticking(() =>
      !isLive(source) ? 0 : this.hurried ? HURRIED_MS : this.clocks ? USUAL_MS : IDLE_MS,
    )
  }

  private get clocks() {
    return this.source.table?.clocks ?? null
  }

  /** Whether the server cannot be asked for the time. */
  readonly unknown = $derived.by(() => reach.lost || (isLive(this.source) && this.source.lost))

  /** The time of this browser, in milliseconds. */
  get at(): number {
    return this.tick.at
  }

  /** The server's time, in seconds. */
  readonly now = $derived.by(() => {
    const { table } = this.source
    const ahead = isLive(this.source) ? Math.max(this.source.ahead, -1e12) : 0
    return Math.max((this.tick.at + ahead) / 1000, table?.now ?? 0)
  })

  /** Whether the time of any seat runs short. */
  private readonly hurried = $derived.by(() => {
    const ends = Object.values(this.clocks?.ends ?? {})
    return !this.unknown && ends.some((end) => end - this.now < SHORT_SECONDS + 1)
  })

  /** The clock of a seat; null if it has none, or if nobody knows. */
  time(seat: number): SeatTime | null {
    return this.clocks && !this.unknown ? seatTime(this.clocks, seat, this.now) : null
  }
}
