/** A closer look at the board: by two fingers, two taps beside the routes, a wheel, a button. */

import type { Point } from '../types'
import { distance } from './layout'

const MOST = 3
const CLOSER = 2
const TWICE_MS = 320
const DRAG_PX = 8

const within = (scale: number) => Math.max(1, Math.min(MOST, scale))
const pointOf = (event: MouseEvent): Point => [event.clientX, event.clientY]
/** How far a point of the screen is from the middle of the board there, as parts of its size. */
function offset(board: EventTarget | null, [x, y]: Point): Point {
  const box = (board as Element).getBoundingClientRect()
  return [(x - box.x) / box.width - 0.5, (y - box.y) / box.height - 0.5]
}

export class Zoom {
  /** How many times larger than the whole, and the middle of what is seen, as parts of it. */
  scale = $state(1)
  private middle: Point = $state.raw([0.5, 0.5])
  private readonly fingers = new Map<number, Point>()
  private moved = 0
  private tapped = 0

  /** `size` is that of the board on the screen. */
  constructor(private readonly size: () => { width: number; height: number }) {}

  readonly viewBox = $derived.by(() => {
    const { width, height } = this.size()
    const [x, y] = this.middle
    const [wide, high] = [width / this.scale, height / this.scale]
    return `${x * width - wide / 2} ${y * height - high / 2} ${wide} ${high}`
  })

  get closer(): boolean {
    return this.scale > 1
  }

  /** Looks closer at a part of the board, or at the whole again. */
  toggle(at: Point = [0.5, 0.5]): void {
    this.look(this.closer ? 1 : CLOSER, at)
  }

  private look(scale: number, [x, y]: Point): void {
    this.scale = within(scale)
    const edge = 0.5 / this.scale
    const inside = (part: number) => Math.max(edge, Math.min(1 - edge, part))
    this.middle = [inside(x), inside(y)]
  }

  /** Moves what is under one point of the screen to another, enlarged by a factor. */
  private pull(board: EventTarget | null, from: Point, to: Point, times = 1): void {
    const held = this.part(board, from)
    const scale = within(this.scale * times)
    const [dx, dy] = offset(board, to)
    this.look(scale, [held[0] - dx / scale, held[1] - dy / scale])
  }

  /** Whether a click ended a drag; else a second tap beside the routes looks closer. */
  drags(): boolean {
    return this.moved > DRAG_PX
  }
  missed(event: MouseEvent): void {
    const now = event.timeStamp
    if (now - this.tapped < TWICE_MS) this.toggle(this.part(event.currentTarget, pointOf(event)))
    this.tapped = now
  }

  /** The part of the board that is under a point of the screen. */
  private part(board: EventTarget | null, at: Point): Point {
    const [dx, dy] = offset(board, at)
    return [this.middle[0] + dx / this.scale, this.middle[1] + dy / this.scale]
  }

  pointerdown = (event: PointerEvent): void => {
    if (!this.fingers.size) this.moved = 0
    this.fingers.set(event.pointerId, pointOf(event))
  }
  pointermove = (event: PointerEvent): void => {
    const before = this.fingers.get(event.pointerId)
    if (!before) return
    const now = pointOf(event)
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1]
    this.fingers.set(event.pointerId, now)
    this.moved += distance(before, now)
    if (!other) {
      if (this.closer && this.drags()) this.pull(event.currentTarget, before, now)
      return
    }
    const times = distance(now, other) / Math.max(1, distance(before, other))
    const middle = (one: Point): Point => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]
    this.pull(event.currentTarget, middle(before), middle(now), times)
  }
  pointerup = (event: PointerEvent): void => {
    this.fingers.delete(event.pointerId)
  }
  wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return
    event.preventDefault()
    const at = pointOf(event)
    this.pull(event.currentTarget, at, at, Math.exp(-event.deltaY / 200))
  }
}
