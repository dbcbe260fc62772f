/** The printed board: places, routes and tickets by name, and where they lie. */

import type { Location, MapData, Point, Route, Ticket } from '../types'

export class Plan {
  readonly route = new Map<string, Route>()
  readonly ticket = new Map<string, Ticket>()
  /** The kinds of cards as a hand shows them: the bus, which stands for any other, is the last. */
  readonly kinds: readonly string[]

  constructor(readonly data: MapData) {
    for (const route of data.routes) this.route.set(route.name, route)
    for (const ticket of data.tickets) this.ticket.set(ticket.name, ticket)
    this.kinds = [...data.kinds.filter((kind) => kind !== 'bus'), 'bus']
  }

  place(index: number): Location {
    return this.data.locations[index]!
  }

  /** "Hyde Park – Big Ben", for a route or a ticket. */
  title(ends: { a: number; b: number }): string {
    return `${this.place(ends.a).name} – ${this.place(ends.b).name}`
  }

  /** The middle of a route, for going from one to the next by arrow keys. */
  middle(route: Route): Point {
    const sum = route.spaces.reduce((at, s) => [at[0] + s.x, at[1] + s.y] as Point, [0, 0] as Point)
    return [sum[0] / route.spaces.length, sum[1] / route.spaces.length]
  }

  /** How far a point is from the nearest space of a route. */
  distance(route: Route, [x, y]: Point): number {
    const far = route.spaces.map((space) => {
      const turn = (space.angle * Math.PI) / 180
      const [dx, dy] = [x - space.x, y - space.y]
      const along = Math.abs(dx * Math.cos(turn) + dy * Math.sin(turn))
      const aside = Math.abs(dy * Math.cos(turn) - dx * Math.sin(turn))
      return Math.hypot(Math.max(0, along - route.long / 2), aside)
    })
    return Math.min(...far)
  }

  /** The route that a finger at a point means; those that are `useful` win over near others. */
  nearest(at: Point, reach: number, useful: ReadonlySet<string>): string | null {
    let [best, least]: [string | null, number] = [null, reach]
    for (const route of this.data.routes) {
      const far = this.distance(route, at) - (useful.has(route.name) ? 8 : 0)
      if (far < least) [best, least] = [route.name, far]
    }
    return best
  }
}

/** The colours of the seats as variables, from those of their buses. */
export const seatColours = (buses: readonly string[] = ['red', 'purple', 'teal', 'brown']) =>
  buses.map((bus, seat) => `--seat-${seat}: var(--ticket-to-ride-bus-${bus})`).join(';')
