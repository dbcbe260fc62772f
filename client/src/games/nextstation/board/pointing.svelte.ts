/** Pointing at stations: with a finger or a mouse, by dragging, and with the keyboard. */

import type { Means } from '../../../table/turn.svelte'
import { type Pointable, Pointing } from '../../pointing.svelte'
import { type City, STEP } from './city'
import { along, dist } from './geometry'
import type { Scene } from './scene'
import type { Point } from '../types'

/** How far from a station a finger may be, in pixels: more than 44 px across. */
const TAP_PX = 26

/** How far along a way its number stands: ways that cross do so in their middle. */
const NUMBERED = 0.42

/** A way to choose from, where several lead to the same station. */
interface Fork {
  from: string
  to: string
  number: number
  /** Where its number stands. */
  at: Point
}

type Board = Pointable &
  Pick<Scene, 'ways' | 'circles' | 'chosen' | 'fresh' | 'due' | 'asking' | 'ondraw'> & {
    city: City
  }

export class StationPointing extends Pointing<Board> {
  drag: { from: string; at: Point; start: Point; snapped: string | null } | null = $state(null)
  private scale = 1 // pixels to a unit of the drawing, when the pointer was seen last

  constructor(board: () => Board) {
    super('station', board)
  }

  /** Where the ways lead, and where they start. */
  readonly targets = $derived.by(() => [
    ...this.board().ways.map((way) => way.to),
    ...this.board().circles,
  ])
  readonly sources = $derived.by(() => this.board().ways.map((way) => way.from))
  /** The ways to show: all, or those from the station that was chosen. */
  readonly shown = $derived.by(() => {
    const { ways, chosen } = this.board()
    const from = this.drag?.from ?? chosen
    return from ? ways.filter((way) => way.from === from) : ways
  })
  /** The ways to choose from; not beside a draft, unless that is what is asked. */
  readonly forks = $derived.by(() => {
    const { city, fresh, due, asking } = this.board()
    return fresh.size && !due && !asking ? [] : forksOf(city, this.shown)
  })
  /** Whether something is being dragged, and not only pressed. */
  readonly dragged = $derived.by(
    () => this.draws && this.drag !== null && dist(this.drag.start, this.drag.at) > 0.3 * STEP,
  )

  protected names() {
    return this.board().city.station
  }
  protected useful() {
    return [...this.shown.map((way) => way.to), ...this.board().circles, ...this.sources]
  }
  protected middle(name: string) {
    return this.board().city.place(name)
  }

  press = (event: PointerEvent): void => {
    const { svg, onpick } = this.board()
    if (!onpick || event.button !== 0) return
    // A second finger means a closer look, and draws nothing.
    if (!event.isPrimary) return this.cancel()
    const at = this.place(event)
    const name = this.nearest(at) ?? this.fork(at)?.to
    if (!name) return
    this.drag = { from: name, at, start: at, snapped: null }
    if (this.draws) svg!.setPointerCapture(event.pointerId)
  }

  /** Whether what was pressed is a station to draw from. */
  get draws(): boolean {
    return this.drag !== null && this.sources.includes(this.drag.from)
  }

  slide = (event: PointerEvent): void => {
    if (!this.drag) return
    const from = this.drag.from
    this.drag.at = this.place(event)
    const over = this.nearest(this.drag.at, (name) => name !== from)
    this.drag.snapped = this.shown.some((way) => way.to === over) ? over : null
  }

  release = (event: PointerEvent): void => {
    if (!this.drag) return
    const { onpick, ondraw } = this.board()
    const { from, start } = this.drag
    const at = this.place(event)
    const fork = dist(start, at) < 0.4 * STEP ? this.fork(at) : undefined
    this.drag = null
    const means = event.pointerType as Means
    if (fork) {
      ondraw?.(fork.from, fork.to, means)
      return
    }
    const end = this.nearest(at, (name) => name !== from || dist(start, at) < 0.4 * STEP)
    if (end === null) return
    this.active = end
    if (end === from) onpick?.(end, means)
    else if (this.sources.includes(from)) ondraw?.(from, end, means)
  }

  cancel = (): void => {
    this.drag = null
  }

  /** The place in the drawing. */
  private place(event: PointerEvent): Point {
    const { at, scale } = this.at(event)
    this.scale = scale
    return at
  }

  /** The numbered way that a finger means: nearer than any station. */
  private fork(at: Point): Fork | undefined {
    const { city } = this.board()
    const [best] = this.forks.toSorted((a, b) => dist(at, a.at) - dist(at, b.at))
    if (!best || dist(at, best.at) > Math.max(TAP_PX / this.scale, 0.3 * STEP)) return undefined
    const nearer = city.data.stations.some(
      ({ x, y }) => dist(at, city.at(x, y)) < dist(at, best.at),
    )
    return nearer ? undefined : best
  }

  /** The station that a finger means: the nearest one in reach, those that can be used first. */
  private nearest(at: Point, only?: (name: string) => boolean): string | null {
    const { city } = this.board()
    // On a phone stations are nearer to each other than a finger is wide.
    const favour = Math.max(0.2 * STEP, Math.min(0.36 * STEP, 11.5 / this.scale))
    let [best, least]: [string | null, number] = [null, Math.max(TAP_PX / this.scale, 0.5 * STEP)]
    for (const { name, x, y } of city.data.stations) {
      if (only && !only(name)) continue
      const useful = this.targets.includes(name) || this.sources.includes(name)
      const far = dist(at, city.at(x, y)) - (useful ? favour : 0)
      if (far < least) [best, least] = [name, far]
    }
    return best
  }
}

/** The ways to each station that several lead to, numbered. */
function forksOf(city: City, ways: readonly { from: string; to: string }[]): Fork[] {
  const count = new Map<string, number>()
  const numbered = ways.map((way) => {
    const number = (count.get(way.to) ?? 0) + 1
    count.set(way.to, number)
    return { ...way, number }
  })
  return numbered
    .filter((way) => count.get(way.to)! > 1)
    .map((way) => {
      const i = city.index(way.from, way.to)
      const points =
        i === undefined ? [city.place(way.from), city.place(way.to)] : city.points(i, way.from)
      return { ...way, at: along(points, NUMBERED) }
    })
}
