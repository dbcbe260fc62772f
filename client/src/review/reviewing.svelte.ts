/** The review of a game while it is made and when it is there, and the moments it is about. */

import { mayPass, pauseAfter, sleep } from '../api/retry'
import { socketOf } from '../shell/folder'
import { type Refused, replayRecord, type ReviewedGame } from '../api/server'
import type { GameReplay, Pong, ReviewState, SeatReview, Turn } from '../api/schema'
import { openGame, type PastView, type ReviewParts } from '../games/registry'
import { wholeViews } from '../replay/past'
import { refusalOf } from '../shell/texts.svelte'

/** A game as one seat saw it. */
export interface Seen {
  replay: GameReplay
  past: PastView[]
}

/** What is known of a seat: the whole report, or its first turns. */
export type KnownSeat = SeatReview | { seat: number; measure: SeatReview['measure']; turns: Turn[] }

export class Reviewing {
  state: ReviewState | undefined = $state.raw()
  /** Why there is no review. */
  wrong: Refused | null = $state.raw(null)
  parts: ReviewParts | undefined = $state.raw()
  seen: Record<number, Seen> = $state.raw({})
  /** The seat whose turns are shown. */
  seat = $state(0)
  /** The turn that is tried again; null while the review is shown. */
  trying: number | null = $state(null)
  private closed = false
  private line: WebSocket | undefined

  constructor(readonly of: ReviewedGame) {
    void this.run()
  }

  close(): void {
    this.closed = true
    this.line?.close()
  }

  readonly seats = $derived.by(
    (): KnownSeat[] => this.state?.review?.seats ?? this.state?.seats ?? [],
  )
  readonly shown = $derived.by(() => this.seats.find(({ seat }) => seat === this.seat))
  readonly game = $derived.by(() => this.seen[this.seat])
  /** The game as anybody saw it, for names and results. */
  readonly replay = $derived.by(() => (this.game ?? Object.values(this.seen)[0])?.replay)
  /** How many turns the report of a seat will have, as far as one can tell. */
  readonly length = $derived.by(() => {
    const { review, total } = this.state!
    if (review) return this.shown!.turns.length
    const seats = this.replay?.seats.length ?? 1
    return Math.max(this.shown?.turns.length ?? 0, Math.floor(total / seats))
  })

  /** Whether asking again may help: the server was busy, or did not answer. */
  readonly canAskAgain = $derived.by(() => !!this.wrong && mayPass(this.wrong))

  /** Asks for the review once more after a refusal. */
  async askAgain(): Promise<void> {
    this.wrong = null
    await this.run()
  }

  /** Shows another seat; its view of the game is loaded once. */
  async choose(seat: number): Promise<void> {
    if (!this.seen[seat]) await this.look(seat)
    this.seat = seat
  }

  /** The end of the game with all cards known, as the seat that is shown sees it. */
  async hindsight(): Promise<unknown> {
    const text = JSON.stringify(this.state!.review!.best!.record)
    const replay = await replayRecord(text, this.seat)
    return wholeViews(replay).at(-1)![`${this.seat}`]
  }

  private async run(): Promise<void> {
    try {
      this.state = await this.of.make()
      await this.look('own')
      await this.follow()
    } catch (error) {
      this.wrong = refusalOf(error)
    }
  }

  private get ended(): boolean {
    return this.closed || this.state!.state === 'done' || this.state!.state === 'failed'
  }

  /** Listens how far the review is until it is there; a line that breaks is opened again. */
  private async follow(): Promise<void> {
    for (let failures = 1; !this.ended; failures++) {
      const refused = await this.listen(() => (failures = 1))
      if (refused) this.state = await this.of.make() // it is gone, or we are told why
      if (!this.ended) await sleep(pauseAfter(undefined, failures))
    }
  }

  /** Listens until the line ends; returns whether the server refused it. */
  private listen(heard: () => void): Promise<boolean> {
    return new Promise((ended) => {
      const line = new WebSocket(socketOf(this.of.live()))
      this.line = line
      line.onmessage = ({ data }) => {
        heard()
        const told = JSON.parse(data as string) as ReviewState | Pong
        if (!('type' in told)) this.state = told
      }
      line.onclose = ({ code }) => ended(code >= 4000 && code !== 4429)
    })
  }

  /** Loads the game as a seat saw it; the own one is the first that is shown. */
  private async look(eyes: number | 'own'): Promise<void> {
    const replay = await this.of.replay(eyes)
    const seat = replay.seen
    if (seat == null) return this.look(0)
    this.parts ??= await (await openGame(replay.game, replay.map)).review()
    const views = wholeViews(replay)
    const past = replay.moments.map(({ number }, i) => ({ number, view: views[i]![`${seat}`] }))
    this.seen = { ...this.seen, [seat]: { replay, past } }
    if (eyes === 'own') this.seat = seat
  }
}
