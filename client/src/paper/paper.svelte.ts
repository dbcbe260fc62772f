/** A game played with pencils while it is written down: people deal, and draw sheet by sheet. */

import { persist } from '../api/retry'
import * as server from '../api/server'
import { Refused } from '../api/server'
import type { Paper, PaperGame, Shelf, TableView, Why } from '../api/schema'
import { lasting } from '../shell/storage'
import { withNames } from '../table/names'
import type { TableSource } from '../table/source'
import { stillSeat, stillTable } from '../table/stillTable'

/** What was played: which game, and whose sheets there are. */
export type Setting = Required<Pick<PaperGame, 'game' | 'map' | 'options' | 'names'>>

/** The maps of the games that are played with pencils. */
export const mapsOnPaper = (shelf: Shelf | undefined) =>
  (shelf?.games ?? [])
    .filter((game) => game.on_paper)
    .flatMap((game) => game.maps.map((map) => ({ key: `${game.name} ${map.name}`, game, map })))

/** Something written down: what was dealt (seat -1), or what was drawn. */
export interface Step {
  seat: number
  text: string
}

interface Written {
  setting: Setting
  steps: Step[]
}

const KEPT = 'headway-paper'

/** The game that this browser keeps, if there is one. */
export function kept(): Written | null {
  const game = lasting.readJson(KEPT) as Partial<Written> | null
  return Array.isArray(game?.steps) && Array.isArray(game.setting?.names) ? (game as Written) : null
}

export const forget = (): void => lasting.remove(KEPT)

export class PaperTable implements TableSource {
  readonly kind = 'paper'
  table: TableView | undefined = $state.raw()
  /** What the server says of all that is written down. */
  result: Paper | undefined = $state.raw()
  /** Why the last step was not taken. */
  wrong = $state('')
  steps: Step[] = $state.raw([])
  /** Whether this browser keeps the game for later. */
  lasts = $state(true)
  /** Whose sheet lies on top. */
  seat = $state(0)
  private closed = false
  private last: Promise<void> = Promise.resolve()

  constructor(
    readonly setting: Setting,
    steps: Step[] = [],
  ) {
    this.steps = steps
    void this.write(() => steps)
  }

  close(): void {
    this.closed = true
  }

  /** All moves that a sheet shows. */
  drawn(seat: number, steps = this.steps): string[] {
    return steps.filter((step) => step.seat === seat).map((step) => step.text)
  }

  deal(text: string): Promise<void> {
    return this.write((steps, result) =>
      result?.deals.includes(text) ? [...steps, { seat: -1, text }] : steps,
    )
  }

  move(seat: number, text: string): Promise<void> {
    return this.write((steps, result) =>
      result?.sheets[seat]!.legal.includes(text) ? [...steps, { seat, text }] : steps,
    )
  }

  /** Takes back what was written last, whatever it was. */
  undo(): Promise<void> {
    return this.write((steps) => {
      this.seat = Math.max(0, steps.at(-1)?.seat ?? 0)
      return steps.slice(0, -1)
    })
  }

  /** Keeps the first moves of a sheet: it is drawn again from there. */
  backTo(seat: number, count: number): Promise<void> {
    return this.write((steps) => {
      let left = count
      return steps.filter((step) => step.seat !== seat || left-- > 0)
    })
  }

  why(seat: number, text: string): Promise<Why> {
    return server.paperWhy(this.written(this.steps), seat, text)
  }

  /** Puts a sheet on top. */
  show(seat: number): void {
    this.seat = seat
    this.lay()
  }

  private written(steps: Step[]): PaperGame {
    const moves = this.setting.names.map((_, seat) => this.drawn(seat, steps))
    return { ...this.setting, dealt: this.drawn(-1, steps), moves }
  }

  /** One change after the other, however fast they are tapped. */
  private write(change: (steps: Step[], result: Paper | undefined) => Step[]): Promise<void> {
    this.last = this.last.then(() => this.send(change(this.steps, this.result)))
    return this.last
  }

  /** Asks what these steps come to, and keeps them if they are possible. Waits for the server. */
  private async send(steps: Step[]): Promise<void> {
    if (this.result && steps === this.steps) return
    try {
      const result = await persist(
        () => server.paper(this.written(steps)),
        () => !this.closed,
      )
      if (result) this.took(steps, result)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.wrong = [error.refusal?.place, error.message].filter(Boolean).join(': ')
    }
  }

  private took(steps: Step[], result: Paper): void {
    const level = !this.result?.behind.length // all sheets were equally far: begin with the first
    this.result = result
    this.steps = steps
    this.wrong = ''
    this.lasts = lasting.writeJson(KEPT, { setting: this.setting, steps })
    if (level || !result.behind.includes(this.seat)) this.seat = result.behind[0] ?? this.seat
    this.lay()
  }

  /** The sheet on top as a table that its game can show. */
  private lay(): void {
    const result = this.result
    if (!result) return
    const sheet = result.sheets[this.seat]!
    this.table = stillTable({
      game: this.setting.game,
      map: this.setting.map,
      title: result.title,
      options: result.options,
      seats: withNames(
        this.setting.names.map((name, seat) => stillSeat(seat, name, seat === this.seat)),
      ),
      number: this.steps.length,
      finished: !!result.outcome,
      views: { [this.seat]: sheet.view },
      legal: { [this.seat]: sheet.legal },
      can_undo: { [this.seat]: this.steps.length > 0 },
      outcome: result.outcome ?? null,
    })
  }
}
