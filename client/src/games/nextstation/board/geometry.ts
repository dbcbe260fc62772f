/** Ways drawn as SVG path data, with round bends. */

import type { Point } from '../types'

export const dist = (p: Point, q: Point): number => Math.hypot(q[0] - p[0], q[1] - p[1])

const n = (value: number): string => `${Math.round(value * 100) / 100}`

/**
 * Path data of a polyline with round bends. `shift` moves the whole way to the right of its
 * direction, bends included, so that two ways with different shifts run parallel.
 */
export function roundedPath(way: Point[], radius: number, shift = 0, closed = false): string {
  let points = way.filter((p, i) => i === 0 || p[0] !== way[i - 1]![0] || p[1] !== way[i - 1]![1])
  if (closed) {
    // Starting in the middle of a side, every corner of the ring is a bend like any other.
    const first = points[0]!
    const last = points.at(-1)!
    const middle: Point = [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2]
    points = [middle, ...points, middle]
  }
  const ways = points.slice(1).map((q, i) => heading(points[i]!, q))
  const drawn = [`M${at(points[0]!, ways[0]!, 0, shift)}`]
  for (let i = 1; i < points.length - 1; i++) {
    const before = dist(points[i - 1]!, points[i]!) * (i === 1 ? 1 : 0.5)
    const after = dist(points[i]!, points[i + 1]!) * (i === points.length - 2 ? 1 : 0.5)
    drawn.push(bend(points[i]!, ways[i - 1]!, ways[i]!, radius, Math.min(before, after), shift))
  }
  drawn.push(closed ? 'Z' : `L${at(points.at(-1)!, ways.at(-1)!, 0, shift)}`)
  return drawn.join('')
}

function heading(p: Point, q: Point): Point {
  const length = dist(p, q)
  return [(q[0] - p[0]) / length, (q[1] - p[1]) / length]
}

function at(p: Point, way: Point, along: number, shift: number): string {
  return `${n(p[0] + way[0] * along - way[1] * shift)} ${n(p[1] + way[1] * along + way[0] * shift)}`
}

/** The straight up to a corner and the arc around it, which uses at most `room` of each leg. */
function bend(corner: Point, into: Point, out: Point, radius: number, room: number, shift: number) {
  const turn = Math.atan2(into[0] * out[1] - into[1] * out[0], into[0] * out[0] + into[1] * out[1])
  const slope = Math.tan(Math.abs(turn) / 2)
  if (slope < 1e-6) return ''
  const leg = Math.min(radius * slope, room)
  const arc = n(Math.max(leg / slope - Math.sign(turn) * shift, 0))
  const [start, end] = [at(corner, into, -leg, shift), at(corner, out, leg, shift)]
  return `L${start}A${arc} ${arc} 0 0 ${turn > 0 ? 1 : 0} ${end}`
}

/** Where a straight piece crosses a way; its middle if it does not. */
export function crossing(p: Point, q: Point, way: Point[]): Point {
  const toward = (a: Point, b: Point): Point => [b[0] - a[0], b[1] - a[1]]
  const area = (a: Point, b: Point) => a[0] * b[1] - a[1] * b[0]
  const d = toward(p, q)
  for (let i = 1; i < way.length; i++) {
    const [e, f] = [toward(way[i - 1]!, way[i]!), toward(p, way[i - 1]!)]
    // How far along either piece the two meet: beyond its ends unless between 0 and 1.
    const [t, u] = [area(f, e) / area(d, e), area(f, d) / area(d, e)]
    if (t > 0 && t < 1 && u > 0 && u < 1) return [p[0] + t * d[0], p[1] + t * d[1]]
  }
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]
}

/** The place at a share of a polyline's length. */
export function along(points: Point[], share: number): Point {
  const lengths = points.slice(1).map((q, i) => dist(points[i]!, q))
  let left = share * lengths.reduce((sum, length) => sum + length, 0)
  for (const [i, length] of lengths.entries()) {
    const [p, q] = [points[i]!, points[i + 1]!]
    if (left <= length || i === lengths.length - 1) {
      const t = length ? Math.min(1, left / length) : 0
      return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t]
    }
    left -= length
  }
  return points[0]!
}

const PITCH = [1.6, 2.4] as const // from one stroke of the pencil to the next
const SWING = [4.2, 6] as const // how far they reach

/** A polyline as a hand shades it: one zigzag from start to end, the same every time. */
export function scribble(points: Point[], shift = 0): string {
  let seed = 2
  const between = ([low, high]: readonly [number, number]): number => {
    seed = (seed * 16807) % 2147483647
    return low + ((high - low) * seed) / 2147483647
  }
  const strokes: string[] = []
  let side = 1
  for (const [i, q] of points.slice(1).entries()) {
    const p = points[i]!
    const [ux, uy] = heading(p, q)
    for (let t = 0; t < dist(p, q); t += between(PITCH)) {
      const swing = side * between(SWING)
      const [far, out] = [t + swing * 0.55, swing + shift]
      strokes.push(`${n(p[0] + ux * far - uy * out)} ${n(p[1] + uy * far + ux * out)}`)
      side = -side
    }
  }
  return `M${strokes.join('L')}`
}

export const polar = (radius: number, turn: number): Point => [
  radius * Math.sin(turn),
  -radius * Math.cos(turn),
]

/** A closed path through points. */
export const closed = (points: Point[]): string =>
  `M${points.map((p) => `${n(p[0])} ${n(p[1])}`).join('L')}Z`

/** The rose of a tourist site: eight points. */
export const ROSE = closed(
  Array.from({ length: 16 }, (_, k) => polar(k % 2 ? 20 : 29, (Math.PI * k) / 8)),
)
