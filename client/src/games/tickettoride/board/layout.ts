/**
 * Where everything lies on a board that fills a space of any shape.
 *
 * Positions stretch; discs, names and buses keep their size, and spaces are laid again along the
 * curves. `board/map_data.py` computes the same for Python's pictures.
 */

import {
  type Box,
  type Name,
  type Pin,
  pinned,
  placed,
  signWidth,
  type Surroundings,
  widthOf,
} from './naming'
import type { MapData, Point, Route, Shape } from '../types'

/** A space of a route: its middle, its direction in degrees, its length. */
export interface Space {
  x: number
  y: number
  angle: number
  long: number
}

const STEPS = 14 // points of a curve from one of its given points to the next
const TALL = 0.95 // height by width, from which a board counts as tall
const NARROW = 560 // pixels, below which it does
const clamp = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value))

/** A smooth line through all points. */
export function curve(points: readonly Point[]): Point[] {
  const line: Point[] = []
  const at = (i: number) => points[clamp(0, i, points.length - 1)]!
  for (let i = 0; i < points.length - 1; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    for (let k = 0; k < STEPS; k++) {
      const t = k / STEPS
      const along = (j: 0 | 1) =>
        points.length === 2
          ? b[j] + (c[j] - b[j]) * t
          : 0.5 *
            (2 * b[j] +
              (c[j] - a[j]) * t +
              (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j]) * t * t +
              (3 * b[j] - a[j] - 3 * c[j] + d[j]) * t ** 3)
      line.push([along(0), along(1)])
    }
  }
  return [...line, points.at(-1)!]
}

export const distance = (a: Point, b: Point) => Math.hypot(b[0] - a[0], b[1] - a[1])

export const lengthOf = (line: readonly Point[]) =>
  line.reduce((sum, point, i) => sum + (i ? distance(line[i - 1]!, point) : 0), 0)

/** The point at a length of a line, and the direction there. */
function pointAt(line: readonly Point[], far: number): { at: Point; turn: number } {
  let left = far
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1]!, line[i]!]
    const here = distance(a, b)
    if (left <= here || i === line.length - 1) {
      const part = here ? Math.min(1, left / here) : 0
      const at: Point = [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
      return { at, turn: Math.atan2(b[1] - a[1], b[0] - a[0]) }
    }
    left -= here
  }
  return { at: line[0]!, turn: 0 }
}

export const pathOf = (line: readonly Point[]) =>
  `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`

export class Layout {
  /** The depth of a space, the radius of a place, the size of a name, that of a drawing. */
  readonly deep: number
  readonly disc: number
  readonly name: number
  readonly drawing: number
  readonly shape: Shape
  private readonly bare: boolean
  readonly places: readonly Point[]
  readonly names: readonly Name[]
  private readonly routes = new Map<string, { line: Point[]; spaces: Space[] }>()
  private readonly box: { x: number; y: number; left: number; top: number }
  private readonly scale: Point

  constructor(
    readonly data: MapData,
    readonly width: number,
    readonly height: number,
    /** Without names the places come nearer to the edges; `foot` is covered at the bottom. */
    { bare = false, foot = 0 }: { bare?: boolean; foot?: number } = {},
  ) {
    this.bare = bare
    const size = Math.sqrt(width * (height - foot))
    this.deep = clamp(bare ? 6 : 10, 4.7 + size * 0.0169, 25)
    this.disc = this.deep * 0.8
    this.name = clamp(11, 10.2 + size * 0.0046, 17)
    this.drawing = clamp(0.35, 0.26 + size * 0.00088, 1.4)
    this.shape = (width < NARROW || (height - foot) / width > TALL ? data.tall : null) ?? data.wide
    const { left, top, right, bottom } = this.edges()
    const spread = (j: 0 | 1) => {
      const all = this.shape.places.map((place) => place[j])
      const [least, most] = [Math.min(...all), Math.max(...all)]
      return { least, far: Math.max(1, most - least) }
    }
    const [across, down] = [spread(0), spread(1)]
    // A board may be tiny while its page is laid out.
    const room = [Math.max(1, width - left - right), Math.max(1, height - foot - top - bottom)]
    this.scale = [room[0]! / across.far, room[1]! / down.far]
    this.box = { x: across.least, y: down.least, left, top }
    this.places = this.shape.places.map((place) => this.at(place))
    for (const route of data.routes) this.lay(route)
    this.names = bare
      ? []
      : placed(
          data.locations.map((_, i) => this.nameOf(i)),
          this.around(foot),
        )
  }

  /** A point of the board file on the screen. */
  at([x, y]: readonly [number, number]): Point {
    const { box, scale } = this
    return [box.left + (x - box.x) * scale[0], box.top + (y - box.y) * scale[1]]
  }
  /** A length of the board file on the screen, across and down. */
  get stretch(): Point {
    return this.scale
  }

  route(name: string) {
    return this.routes.get(name)!
  }

  // --- names

  private label(i: number): Omit<Name, 'x' | 'y'> & { dx: number; dy: number } {
    const own = this.shape.labels[i]
    const { label, anchor, lines } = this.data.locations[i]!
    if (own) {
      const { x, y } = own
      const size = this.name / 12
      return { dx: x * size, dy: y * size, anchor: own.anchor, lines: own.lines }
    }
    const [dx, dy] = [(label[0] * this.width) / this.data.width, label[1] * this.unit]
    return { dx, dy, anchor, lines }
  }
  private get unit() {
    return (this.height / this.data.height) * 1.06
  }
  private nameOf(i: number): Name {
    const { dx, dy, anchor, lines } = this.label(i)
    const [x, y] = this.places[i]!
    const up = (lines.length - 1) * this.name * 0.52
    return { x: x + dx, y: y + dy + this.name * 0.35 - up, anchor, lines }
  }

  /** What names stand among. */
  private around(foot: number): Surroundings {
    const signs = this.shape.signs.map(({ district, x, y }): Box => {
      const { points } = this.data.districts.find(({ number }) => number === district)!
      const count = this.data.locations.filter((place) => place.district === district).length
      const half = signWidth(points, count, this.name) / 2
      const [middle, centre] = this.at([x, y])
      const high = this.name * 0.7
      return {
        left: middle - half,
        top: centre - high,
        right: middle + half,
        bottom: centre + high,
      }
    })
    return {
      places: this.places,
      disc: this.disc,
      size: this.name,
      frame: { left: 2, top: 2, right: this.width - 2, bottom: this.height - foot },
      signs,
      spaces: [...this.routes.values()].flatMap(({ spaces }) =>
        spaces.map(({ x, y }): Point => [x, y]),
      ),
    }
  }

  /** Where the letters of a place stand, for each number of them. */
  pins(place: number, count: number): Pin[] {
    return pinned(this.places[place]!, count, this.names, { disc: this.disc, size: this.name })
  }

  /** The room that names need beyond the outermost places. */
  private edges() {
    const least = this.bare ? this.disc * 1.9 : this.disc * 2.6
    const edges = { left: least, top: least, right: least, bottom: least }
    if (this.bare) return edges
    const all = this.shape.places
    const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)]
    const part = (values: number[], i: number) => {
      const [low, high] = [Math.min(...values), Math.max(...values)]
      return (values[i]! - low) / Math.max(1, high - low)
    }
    this.data.locations.forEach((_, i) => {
      const { dx, dy, anchor, lines } = this.label(i)
      const wide = widthOf(lines, this.name)
      const from = anchor === 'start' ? dx : anchor === 'end' ? dx - wide : dx - wide / 2
      const high = (lines.length * this.name * 1.1) / 2
      const [px, py] = [part(xs, i), part(ys, i)]
      const beyond = (over: number, inside: number, size: number) => over + 6 - inside * size * 0.9
      edges.left = Math.max(edges.left, beyond(-from, px, this.width))
      edges.right = Math.max(edges.right, beyond(from + wide, 1 - px, this.width))
      edges.top = Math.max(edges.top, beyond(high - dy, py, this.height))
      edges.bottom = Math.max(edges.bottom, beyond(high + dy, 1 - py, this.height))
    })
    return edges
  }

  // --- routes

  private lay(route: Route): void {
    const { a, b, side, length, middles } = route
    const centre = curve([this.places[a]!, ...middles.map((p) => this.at(p)), this.places[b]!])
    const off = side * (this.deep * 0.6 + 0.7)
    const beside = ({ at: [x, y], turn }: ReturnType<typeof pointAt>): Point => [
      x - Math.sin(turn) * off,
      y + Math.cos(turn) * off,
    ]
    const long = lengthOf(centre)
    const ends = this.disc + this.deep * (side ? 0.3 : 0.2)
    const part = (long - 2 * ends) / length
    const spaces = Array.from({ length }, (_, i): Space => {
      const there = pointAt(centre, ends + part * (i + 0.5))
      const [x, y] = beside(there)
      const degrees = (there.turn * 180) / Math.PI
      const angle = degrees > 90 ? degrees - 180 : degrees < -90 ? degrees + 180 : degrees
      // None on a board that is tiny, perhaps while its page is laid out.
      return { x, y, angle, long: Math.max(0, part - Math.max(1.6, this.deep * 0.17)) }
    })
    const line = Array.from({ length: 21 }, (_, k) => beside(pointAt(centre, (long * k) / 20)))
    this.routes.set(route.name, { line, spaces })
  }

  /** The middle of a route. */
  middle(name: string): Point {
    return this.route(name).line[10]!
  }

  /** The route that a finger at a point means; those that are `useful` win over near others. */
  nearest([x, y]: Point, reach: number, useful: ReadonlySet<string>): string | null {
    let [best, least]: [string | null, number] = [null, reach]
    for (const [name, { spaces }] of this.routes) {
      const far = spaces.map((space) => {
        const turn = (space.angle * Math.PI) / 180
        const [dx, dy] = [x - space.x, y - space.y]
        const along = Math.abs(dx * Math.cos(turn) + dy * Math.sin(turn))
        const aside = Math.abs(dy * Math.cos(turn) - dx * Math.sin(turn))
        return Math.hypot(Math.max(0, along - space.long / 2), aside)
      })
      const nearer = Math.min(...far) - (useful.has(name) ? this.deep / 3 : 0)
      if (nearer < least) [best, least] = [name, nearer]
    }
    return best
  }
}
