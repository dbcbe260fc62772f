/** A city ready for drawing: the map's data in the units of the picture. */

import { roundedPath } from './geometry'
import type { MapData, Point, Section, Station } from '../types'

export const STEP = 60
const REACH = 0.7 // how far the sheet goes beyond its outermost stations, in steps
export const DISC = 16.5
export const NAME_UNITS = 13.2 // the size of a district's name, for which the server keeps room
export const BESIDE = 6.2 // from the middle of a section to each of its two tracks
const BEND = 30

export class City {
  readonly width: number
  readonly height: number
  readonly station: ReadonlyMap<string, Station>
  readonly between: ReadonlyMap<string, number>
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
    this.outlines = data.districts.map(({ outline }) =>
      outline
        .map((ring) => ring.map((corner) => this.corner(corner)))
        .map((ring) => roundedPath(ring, 14, 2.5, true))
        .join(''),
    )
    this.stampPlaces = new Map(
      data.districts.flatMap((d, i) => (d.stamp_at ? [[i, d.stamp_at] as const] : [])),
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

  /** The pattern along the middle of a pencil's tracks, besides its hue; 0 for none. */
  stripe(colour: string): number {
    return this.data.colours.indexOf(colour) % 4
  }

  /** The points of a section, from its station a unless `from` is the other one. */
  points(i: number, from?: string): Point[] {
    const s = this.section(i)
    const points = s.path.map(([x, y]) => this.at(x, y))
    return from === s.b ? points.reverse() : points
  }

  /** Path data along a section, seen from its station a unless `from` is the other one. */
  way(i: number, shift = 0, from?: string): string {
    return roundedPath(this.points(i, from), BEND, from === this.section(i).b ? -shift : shift)
  }

  river(shift: number): string {
    return roundedPath(
      this.data.river.map(([x, y]) => this.at(x, y)),
      46,
      shift,
    )
  }

  /** How far a station reaches, with all that belongs to it. */
  room(s: Station): number {
    return s.tourist ? 29 : s.departure ? DISC + 2 : DISC + 1
  }

  /** The place of a corner between cells; the outermost lie on the edge of the sheet. */
  private corner([x, y]: Point): Point {
    const [px, py] = this.at(x - 0.5, y - 0.5)
    return [
      x === 0 ? 2 : x === this.data.width ? this.width - 2 : px,
      y === 0 ? 2 : y === this.data.height ? this.height - 2 : py,
    ]
  }
}
