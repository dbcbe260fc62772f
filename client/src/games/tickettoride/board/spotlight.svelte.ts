/** What the board points out: tickets with their ways, and at the end what is counted. */

import type { Drafting } from '../turn/drafting.svelte'
import type { Letter } from './scene'
import type { Ending } from '../ending/ending.svelte'

interface Lit {
  places: ReadonlySet<number>
  way: ReadonlySet<string>
  /** The seats whose buses are to be seen; none for all. */
  only: readonly number[]
}

/**
 * Listeners for what the board shows while it is pointed at, with a mouse or the keyboard.
 * A finger cannot stop pointing: it presses.
 */
export const hovering = (show: (on: boolean) => void) => ({
  onpointerenter: (event: PointerEvent) => event.pointerType === 'mouse' && show(true),
  onpointerleave: (event: PointerEvent) => event.pointerType === 'mouse' && show(false),
  onfocus: (event: FocusEvent) =>
    (event.currentTarget as Element).matches(':focus-visible') && show(true),
  onblur: () => show(false),
})

export class Spotlight {
  /** The ticket that stays on the board, and the one that is pointed at. */
  pinned: string | null = $state(null)
  hovered: string | null = $state(null)
  /** A ticket of the finished game, and whose it is. */
  revealed: { seat: number; ticket: string } | null = $state.raw(null)

  constructor(
    private readonly drafting: Drafting,
    private readonly ending: Ending,
  ) {}

  private readonly tickets = $derived.by(() => {
    const { choosing, turn } = this.drafting
    if (turn.covered) return []
    if (this.hovered && this.letters.has(this.hovered)) return [this.hovered]
    if (choosing && turn.draft.tickets.length) return turn.draft.tickets
    return this.pinned ? [this.pinned] : []
  })

  readonly lit = $derived.by((): Lit => {
    const way = new Set<string>()
    const { over, step } = this.ending
    if (!over && step) {
      const within = this.drafting.plan.data.locations.flatMap((place, i) =>
        step.districts.includes(place.district) ? [i] : [],
      )
      const places = new Set([...(step.ticket ? this.ends(step.ticket) : []), ...within])
      return { places, way, only: step.seat < 0 ? [] : [step.seat] }
    }
    if (this.drafting.turn.view.finished && this.revealed) {
      const { seat, ticket } = this.revealed
      return { places: new Set(this.ends(ticket)), way, only: [seat] }
    }
    if (this.drafting.turn.view.finished)
      return { places: new Set(), way, only: this.ending.winners }
    const prospects = this.drafting.turn.views.flatMap((view) => view.prospects)
    for (const name of this.tickets)
      for (const route of prospects.find((one) => one.name === name)?.way ?? []) way.add(route)
    return { places: new Set(this.tickets.flatMap((name) => this.ends(name))), way, only: [] }
  })

  /** The letter of each ticket that the seat has or is offered: A, B, C. */
  readonly letters = $derived.by(() => {
    const { turn } = this.drafting
    const { finished, own_tickets: own, offered } = turn.view
    const all = turn.covered || finished ? [] : [...own, ...offered]
    return new Map(all.map((name, i) => [name, String.fromCharCode(65 + (i % 26))]))
  })

  /** The letters at each place. */
  readonly placed = $derived.by(() => {
    const placed = new Map<number, Letter[]>()
    const { prospects } = this.drafting.turn.view
    for (const [name, letter] of this.letters) {
      const done = prospects.some((one) => one.name === name && one.state === 'done')
      for (const end of this.ends(name)) {
        placed.set(end, [...(placed.get(end) ?? []), { letter, done }])
      }
    }
    return placed
  })

  /** Whether a ticket of the finished game is on the board. */
  reveals(seat: number, ticket: string): boolean {
    return this.revealed?.seat === seat && this.revealed.ticket === ticket
  }

  /** Leaves a ticket on the board, or takes it off. */
  pin(name: string): void {
    this.pinned = this.pinned === name ? null : name
    if (this.pinned === null) this.hovered = null
  }

  private ends(name: string): [number, number] {
    const ticket = this.drafting.plan.ticket.get(name)!
    return [ticket.a, ticket.b]
  }
}
