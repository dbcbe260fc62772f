/** A closer look at the board: by two fingers, two taps beside the routes, a wheel, a button. */

import type { Point } from '../types'

const MOST = 3
const CLOSER = 2
const TWICE_MS = 320
const DRAG_PX = 8

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
    this.scale = Math.max(1, Math.min(MOST, scale))
    const edge = 0.5 / this.scale
    const inside = (part: number) => Math.max(edge, Math.min(1 - edge, part))
    this.middle = [inside(x), inside(y)]
  }

  /** Whether a click ended a drag; else a second tap beside the routes looks closer. */
  drags(): boolean {
    return this.moved > DRAG_PX
  }
  missed(event: MouseEvent): void {
    const now = event.timeStamp
    if (now - this.tapped < TWICE_MS) this.toggle(this.part(event))
    this.tapped = now
  }

  private part(event: MouseEvent): Point {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const [x, y] = this.middle
    return [
      x + ((event.clientX - box.x) / box.width - 0.5) / this.scale,
      y + ((event.clientY - box.y) / box.height - 0.5) / this.scale,
    ]
  }

  pointerdown = (event: PointerEvent): void => {
    if (!this.fingers.size) this.moved = 0
    this.fingers.set(event.pointerId, [event.clientX, event.clientY])
  }
  pointermove = (event: PointerEvent): void => {
    const before = this.fingers.get(event.pointerId)
    if (!before) return
    const now: Point = [event.clientX, event.clientY]
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1]
    this.fingers.set(event.pointerId, now)
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1])
    const { width, height } = this.size()
    const far = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])
    const times = other ? far(now, other) / Math.max(1, far(before, other)) : 1
    if (!other && !(this.closer && this.drags())) return
    const [x, y] = this.middle
    const half = other ? 2 : 1
    const by = (j: 0 | 1, size: number) => (now[j] - before[j]) / half / size / this.scale
    this.look(this.scale * times, [x - by(0, width), y - by(1, height)])
  }
  pointerup = (event: PointerEvent): void => {
    this.fingers.delete(event.pointerId)
  }
  wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return
    event.preventDefault()
    this.look(this.scale * Math.exp(-event.deltaY / 200), this.part(event))
  }
}
