/** The printed board: places, routes and tickets by name. */

import type { Location, MapData, Route, Ticket } from '../types'

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

  /** The colour of a district: `grey`. */
  colour(district: number): string {
    return this.data.districts.find((one) => one.number === district)!.colour
  }

  /** "Hyde Park – Big Ben", for a route or a ticket. */
  title(ends: { a: number; b: number }): string {
    return `${this.place(ends.a).name} – ${this.place(ends.b).name}`
  }
}

/** The colours of the seats as variables, from those of their buses. */
export const seatColours = (buses: readonly string[] = ['red', 'purple', 'teal', 'brown']) =>
  buses
    .map((bus, seat) => {
      const tint = `--seat-tint-${seat}: var(--ticket-to-ride-tint-of-${bus})`
      return `--seat-${seat}: var(--ticket-to-ride-bus-${bus});${tint}`
    })
    .join(';')
