/**
 * What happens at a table, told as short scenes, one after another.
 *
 * A timeline stands between a table and its page: it is a `TableSource`, and its table is the one
 * that has been told so far. So whatever shows `timeline.table` (board, score, supply, whose turn
 * it is) follows the scenes and never runs ahead of them. A game says what there is to tell; its
 * components draw `timeline.step` while it lasts.
 */

import { untrack } from 'svelte'
import type { TableView } from '../api/schema'
import { still } from '../shell/screen.svelte'
import type { TableSource } from './source'

/** A part of a scene. */
export interface Step {
  ms: number
  /** The table that is shown from now on; the one before where there is none. */
  table?: TableView
}

/** What a seat did, as it is told. */
export interface Scene<S extends Step = Step> {
  /** The number of its line in the log. */
  number: number
  seat: number
  steps: readonly S[]
}

/** What a game tells. */
export interface Story<S extends Step> {
  /** The scenes that lead from a table to a later one. */
  scenes: (before: TableView, after: TableView) => Scene<S>[]
  /** A table as it was before the line of its log with this number, as far as it is known. */
  rewind: (table: TableView, number: number) => TableView
}

/** A scene that waits, and the table once it has been told. */
interface Act<S extends Step> {
  scene: Scene<S>
  table: TableView
}

const SEVERAL = 3 // so many scenes in a row are told faster
const HURRY = 0.56
const MOST = 12 // more are not told by themselves
const STILL_MS = 600 // where nothing moves, a scene is there at once and stays so long

export class Timeline<S extends Step> implements TableSource {
  private told: TableView | undefined = $state.raw()
  private queue: readonly Act<S>[] = $state.raw([])
  private at = $state(0)
  private timer: ReturnType<typeof setTimeout> | undefined
  /** The scenes that stay marked: the last one, or all that were skipped together. */
  marked: readonly Scene<S>[] = $state.raw([])
  /** What the others did since a seat of this page moved; `replay` tells it again. */
  since: readonly Scene<S>[] = $state.raw([])

  constructor(
    private readonly source: TableSource,
    private readonly story: Story<S>,
  ) {
    this.told = source.table
    this.remember()
    $effect.pre(() => {
      void source.table
      untrack(() => this.follow())
    })
    $effect(() => () => clearTimeout(this.timer))
  }

  get kind() {
    return this.source.kind
  }
  /** The table as it has been told; without a live table there is nothing to tell. */
  get table(): TableView | undefined {
    return this.kind === 'live' ? this.told : this.source.table
  }
  /** The scene that is being told. */
  get scene(): Scene<S> | null {
    return this.queue[0]?.scene ?? null
  }
  /** The part of it that is shown now. */
  get step(): S | null {
    return this.scene?.steps[this.at] ?? null
  }
  /** How much faster than usual the scene is told, as a factor of all times. */
  get pace(): number {
    return this.queue.length >= SEVERAL ? HURRY : 1
  }

  // --- what can be done at the table; who moves has seen enough

  async move(seat: number, text: string): Promise<void> {
    this.skip()
    await this.source.move(seat, text)
    this.follow()
  }
  async undo(seat: number): Promise<void> {
    this.skip()
    await this.source.undo(seat)
    this.follow()
  }
  why(seat: number, text: string) {
    return this.source.why(seat, text)
  }

  /** Shows the table as it is; what was not told stays marked. */
  skip(): void {
    const last = this.queue.at(-1)
    if (!last) return
    clearTimeout(this.timer)
    this.marked = this.queue.map((act) => act.scene)
    this.since = [...this.since, ...this.marked.filter((scene) => !this.mine(scene.seat))]
    ;[this.queue, this.told] = [[], last.table]
  }

  /** Tells again what the others did since a seat of this page moved. */
  replay(): void {
    this.skip()
    const [first] = this.since
    const now = this.told
    if (!first || !now) return
    const before = this.story.rewind(now, first.number)
    ;[this.told, this.since, this.marked] = [before, [], []]
    this.push(before, now)
  }

  // --- following the table

  private mine(seat: number): boolean {
    return this.told?.seats[seat]?.mine === true
  }

  /** On a page that opens: what happened since a seat of it moved. */
  private remember(): void {
    const { told } = this
    if (!told || this.kind !== 'live' || told.finished) return
    const own = told.log.findLast((line) => this.mine(line.seat))
    if (!own) return
    const scenes = this.story.scenes(this.story.rewind(told, own.number + 1), told)
    this.since = scenes.filter((scene) => !this.mine(scene.seat))
    this.marked = scenes.slice(-1)
  }

  /** Takes over what is new at the table. */
  follow(): void {
    const now = this.source.table
    const newest = this.queue.at(-1)?.table ?? this.told
    if (!now || now === newest) return
    if (!newest || !continues(newest, now)) {
      // Something was taken back, or the page begins: what was told is no longer true.
      clearTimeout(this.timer)
      ;[this.queue, this.told, this.marked, this.since] = [[], now, [], []]
      this.remember()
    } else this.push(newest, now)
  }

  /** Puts what leads from one table to the other behind what is still to be told. */
  private push(before: TableView, now: TableView): void {
    const scenes = this.story.scenes(before, now)
    const acts = scenes.map((scene, i): Act<S> => {
      const end = scene.steps.findLast((step) => step.table)?.table ?? before
      return { scene, table: i === scenes.length - 1 ? now : end }
    })
    if (!acts.length) return this.refresh(now)
    const own = acts.findLastIndex(({ scene }) => this.mine(scene.seat))
    if (own >= 0) {
      this.skip()
      ;[this.since, this.marked] = [[], []]
      if (own > 0) this.told = acts[own - 1]!.table
    }
    const idle = !this.queue.length
    this.queue = [...this.queue, ...acts.slice(Math.max(0, own))]
    if (this.queue.length > MOST || document.hidden) this.skip()
    else if (idle) this.begin()
  }

  /** Nothing has happened, but something is new: who is here, a clock. */
  private refresh(now: TableView): void {
    const last = this.queue.at(-1)
    if (last) this.queue = [...this.queue.slice(0, -1), { ...last, table: now }]
    else this.told = now
  }

  // --- telling

  private begin(): void {
    this.at = 0
    this.marked = []
    if (still()) this.rest()
    else this.show()
  }

  private show(): void {
    const { step } = this
    if (!step) return this.end()
    if (step.table) this.told = step.table
    this.timer = setTimeout(() => {
      this.at++
      this.show()
    }, step.ms * this.pace)
  }

  /** Where nothing moves: the scene's end, and time to read it if another follows. */
  private rest(): void {
    const act = this.queue[0]!
    this.told = act.table
    if (this.queue.length > 1) {
      this.marked = [act.scene]
      this.timer = setTimeout(() => this.end(), STILL_MS)
    } else this.end()
  }

  private end(): void {
    const [act, ...rest] = this.queue
    if (!act) return
    this.told = act.table
    this.marked = [act.scene]
    if (!this.mine(act.scene.seat)) this.since = [...this.since, act.scene]
    this.queue = rest
    if (rest.length) this.begin()
  }
}

/** Whether a table's log goes on where the other one's ends. */
function continues(before: TableView, after: TableView): boolean {
  const at = before.log.length - 1
  const [last, same] = [before.log[at], after.log[at]]
  if (!last) return true
  // At the end of a game the log tells what was hidden.
  return !!same && same.number === last.number && (after.finished || same.text === last.text)
}
