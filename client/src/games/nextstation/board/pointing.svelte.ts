/** Pointing at stations: with a finger or a mouse, by dragging, and with the keyboard. */

import { ARROWS, nextPlace } from '../../../table/arrows'
import type { Means } from '../../../table/turn.svelte'
import { type City, STEP } from './city'
import { dist } from './geometry'
import type { Point } from '../types'

/** How far from a station a finger may be, in pixels: more than 44 px across. */
const TAP_PX = 26

interface Way {
  from: string
  to: string
}

/** What can be pointed at, and what follows. */
export interface Pointable<W extends Way> {
  city: City
  svg: SVGSVGElement | undefined
  /** Ways that can be drawn now. */
  ways: readonly W[]
  /** Stations that can be circled now. */
  circles: readonly string[]
  /** The station from which is drawn. */
  chosen: string | null
  onpick: ((station: string, means: Means) => void) | undefined
  ondraw: ((from: string, to: string, means: Means) => void) | undefined
}

export class Pointing<W extends Way> {
  drag: { from: string; at: Point; start: Point; snapped: string | null } | null = $state(null)
  active: string | null = $state(null)
  private scale = 1 // pixels to a unit of the drawing, when the pointer was seen last

  constructor(private readonly board: () => Pointable<W>) {}

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
  /** The stations that arrow keys go to. */
  readonly pool = $derived.by(() => [
    ...this.shown.map((way) => way.to),
    ...this.board().circles,
    ...this.sources,
  ])
  readonly focusable = $derived.by(() => {
    const { city } = this.board()
    if (this.active && city.station.has(this.active)) return this.active
    return this.pool[0] ?? city.data.stations[0]!.name
  })
  /** Whether something is being dragged, and not only pressed. */
  readonly dragged = $derived.by(
    () =>
      this.drag !== null &&
      this.sources.includes(this.drag.from) &&
      dist(this.drag.start, this.drag.at) > 0.3 * STEP,
  )

  press = (event: PointerEvent): void => {
    const { svg, onpick } = this.board()
    if (!onpick || event.button !== 0) return
    const at = this.place(event)
    const name = this.nearest(at)
    if (name === null) return
    this.drag = { from: name, at, start: at, snapped: null }
    if (this.sources.includes(name)) svg!.setPointerCapture(event.pointerId)
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
    this.drag = null
    const means = event.pointerType as Means
    const end = this.nearest(at, (name) => name !== from || dist(start, at) < 0.4 * STEP)
    if (end === null) return
    this.active = end
    if (end === from) onpick?.(end, means)
    else if (this.sources.includes(from)) ondraw?.(from, end, means)
  }

  cancel = (): void => {
    this.drag = null
  }

  key = (event: KeyboardEvent): void => {
    const { city, onpick } = this.board()
    if (!onpick) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onpick(this.focusable, 'key')
      return
    }
    const step = ARROWS[event.key]
    if (!step) return
    event.preventDefault()
    const names = event.shiftKey || !this.pool.length ? city.station.keys() : this.pool
    const next = nextPlace(this.focusable, step, names, (name) => city.place(name))
    if (next) this.focus(next)
  }

  /** The station that has the focus is the active one. */
  focused = (event: FocusEvent): void => {
    const station = (event.target as Element).closest<SVGElement>('[data-station]')
    if (station) this.active = station.dataset.station!
  }

  /** Puts the focus on a station. */
  focus(name?: string): void {
    this.active = name ?? this.pool[0] ?? this.active
    const station = this.active ?? this.focusable
    this.board().svg?.querySelector<SVGGElement>(`[data-station="${station}"]`)?.focus()
  }

  /** The place in the drawing. */
  private place(event: PointerEvent): Point {
    const screen = this.board().svg!.getScreenCTM()!
    this.scale = screen.a
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse())
    return [x, y]
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
