/** A city ready for drawing: what follows from the map's data alone, worked out once. */

import { dist, distanceTo, roundedPath } from './geometry'
import type { MapData, Point, Section, Station } from './types'

export const STEP = 60
export const REACH = 0.7 // how far the sheet goes beyond its outermost stations, in steps
export const DISC = 16.5
export const BESIDE = 5.3 // from the middle of a section to each of its two tracks
const BEND = 30

type Corner = readonly [number, number]

export class City {
  readonly width: number
  readonly height: number
  readonly station: ReadonlyMap<string, Station>
  readonly between: ReadonlyMap<string, number>
  readonly tints: readonly number[]
  readonly outlines: readonly string[]
  readonly stampPlaces: ReadonlyMap<number, Point>
  readonly loop: readonly number[]

  constructor(readonly data: MapData) {
    this.width = (data.width - 1 + 2 * REACH) * STEP
    this.height = (data.height - 1 + 2 * REACH) * STEP
    this.station = new Map(data.stations.map((s) => [s.name, s]))
    this.between = new Map(
      data.sections.flatMap(({ a, b }, i) => [
        [a + b, i],
        [b + a, i],
      ]),
    )
    this.loop = data.sections.flatMap((s, i) => (s.loop ? [i] : []))
    this.tints = tints(data)
    this.outlines = data.districts.map((_, d) =>
      rings(cells(data, d))
        .map((ring) =>
          roundedPath(
            ring.map((c) => this.corner(c)),
            14,
            2.5,
            true,
          ),
        )
        .join(''),
    )
    this.stampPlaces = new Map(
      data.districts.flatMap((d, i) => (d.stamp ? [[i, stampPlace(data, i)] as const] : [])),
    )
  }

  /** The place of a point of the grid. */
  at(x: number, y: number): Point {
    return [(x + REACH) * STEP, (y + REACH) * STEP]
  }

  place(name: string): Point {
    const s = this.station.get(name)!
    return this.at(s.x, s.y)
  }

  section(i: number): Section {
    return this.data.sections[i]!
  }

  index(a: string, b: string): number | undefined {
    return this.between.get(a + b)
  }

  /** Path data along a section, seen from its station a unless `from` is the other one. */
  way(i: number, shift = 0, from?: string): string {
    const s = this.section(i)
    const points = s.path.map(([x, y]) => this.at(x, y))
    return from === s.b
      ? roundedPath(points.reverse(), BEND, -shift)
      : roundedPath(points, BEND, shift)
  }

  river(shift: number): string {
    return roundedPath(
      this.data.river.map(([x, y]) => this.at(x, y)),
      52,
      shift,
    )
  }

  /** How far a station reaches, with all that belongs to it. */
  room(s: Station): number {
    return s.tourist ? 27 : s.departure ? DISC + 2 : DISC + 1
  }

  /** The place of a corner between cells; the outermost lie on the edge of the sheet. */
  private corner([x, y]: Corner): Point {
    const [px, py] = this.at(x - 0.5, y - 0.5)
    return [
      x === 0 ? 2 : x === this.data.width ? this.width - 2 : px,
      y === 0 ? 2 : y === this.data.height ? this.height - 2 : py,
    ]
  }
}

function cells(map: MapData, district: number): Corner[] {
  return map.district_at.flatMap((row, y) =>
    row.flatMap((d, x) => (d === district ? [[x, y] as const] : [])),
  )
}

/** A tint for every district, other than its neighbours'; large districts choose first. */
function tints(map: MapData): number[] {
  const size = map.districts.map((_, d) => cells(map, d).length)
  const touching = map.districts.map(() => new Set<number>())
  map.district_at.forEach((row, y) =>
    row.forEach((d, x) => {
      for (const other of [row[x + 1], map.district_at[y + 1]?.[x]]) {
        if (other === undefined || other === d) continue
        touching[d]!.add(other)
        touching[other]!.add(d)
      }
    }),
  )
  const tints: number[] = []
  const order = size.map((_, d) => d).sort((a, b) => size[b]! - size[a]! || a - b)
  for (const d of order) {
    const taken = [...touching[d]!].map((other) => tints[other])
    const choice = size[d] === 1 ? [3, 0, 1, 2] : [0, 1, 2, 3]
    tints[d] = choice.find((tint) => !taken.includes(tint)) ?? 3
  }
  return tints
}

/** The rings around cells, clockwise, as their turning points. */
function rings(district: Corner[]): Corner[][] {
  const key = ([x, y]: Corner) => `${x},${y}`
  const inside = new Set(district.map(key))
  const after = new Map<string, Corner[]>()
  for (const [x, y] of district) {
    const sides: [Corner, Corner, Corner][] = [
      [
        [x, y - 1],
        [x, y],
        [x + 1, y],
      ],
      [
        [x + 1, y],
        [x + 1, y],
        [x + 1, y + 1],
      ],
      [
        [x, y + 1],
        [x + 1, y + 1],
        [x, y + 1],
      ],
      [
        [x - 1, y],
        [x, y + 1],
        [x, y],
      ],
    ]
    for (const [beyond, start, end] of sides)
      if (!inside.has(key(beyond))) after.set(key(start), [...(after.get(key(start)) ?? []), end])
  }
  const rings: Corner[][] = []
  while (after.size) {
    const start = after.keys().next().value!
    const ring: Corner[] = [start.split(',').map(Number) as unknown as Corner]
    for (;;) {
      const here = key(ring.at(-1)!)
      const next = after.get(here)!.pop()!
      if (!after.get(here)!.length) after.delete(here)
      if (key(next) === start) break
      ring.push(next)
    }
    rings.push(ring.filter((q, i) => turns(ring.at(i - 1)!, q, ring[(i + 1) % ring.length]!)))
  }
  return rings
}

const turns = (p: Corner, q: Corner, r: Corner): boolean =>
  !((p[0] === q[0] && q[0] === r[0]) || (p[1] === q[1] && q[1] === r[1]))

/** The place in the district that is farthest from all stations and sections. */
function stampPlace(map: MapData, district: number): Point {
  const ways = map.sections.flatMap((s) => s.path.slice(1).map((q, i) => [s.path[i]!, q] as const))
  const room = (place: Point): number => {
    const discs = map.stations.map((s) => dist(place, [s.x, s.y]) - DISC / STEP)
    return Math.min(...discs, ...ways.map(([p, q]) => distanceTo(place, p, q)))
  }
  const inside = cells(map, district)
  const has = (x: number, y: number) => inside.some((c) => c[0] === x && c[1] === y)
  const edge = (v: number, most: number) => (v === 0 ? -0.42 : v === most ? 0.42 : 0)
  const places: Point[] = []
  for (const [x, y] of inside) {
    const [ex, ey] = [edge(x, map.width - 1), edge(y, map.height - 1)]
    for (const away of [-0.21, 0.21]) {
      if (has(x + 1, y)) places.push([x + 0.5, y + away])
      if (has(x, y + 1)) places.push([x + away, y + 0.5])
    }
    if (ey && has(x + 1, y)) places.push([x + 0.5, y + ey])
    if (ex && has(x, y + 1)) places.push([x + ex, y + 0.5])
    if (ex && ey) places.push([x + ex, y + ey])
  }
  if (!places.length) places.push(...inside.map(([x, y]): Point => [x + 0.4, y - 0.2]))
  return places.reduce((best, place) => (room(place) > room(best) + 1e-6 ? place : best))
}
