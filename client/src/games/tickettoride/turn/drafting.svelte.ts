/** What is drafted in a turn: a move, the route that is looked at, the tickets that are ticked. */

import type { TableSource } from '../../../table/source'
import { announce } from '../../../shell/announce.svelte'
import { say } from '../../../shell/texts.svelte'
import { type Means, Turn } from '../../../table/turn.svelte'
import { Display } from './display.svelte'
import { doing, routeFacts, routeName, takenBy } from '../words/labels'
import { type Payment, payments, routeOf } from './notation'
import type { Plan } from '../board/plan'
import type { View } from '../types'

export interface Draft {
  move: string | null
  /** Where the face-up card lies that the move takes. */
  slot: number | null
  route: string | null
  tickets: string[]
}
const NOTHING: Draft = { move: null, slot: null, route: null, tickets: [] }

export class Drafting {
  readonly turn: Turn<View, Draft>
  /** Whether the game is over and looked at again. */
  readonly past: boolean
  readonly display: Display
  /** What a seat saw before it took a card from the pile, if that was the last move. */
  private beforePile: View | null = $state.raw(null)

  constructor(
    source: TableSource,
    readonly plan: Plan,
    /** What a screen reader hears when the seat has to decide, and the focus on the board. */
    private readonly page: { opening: () => string[]; focus: () => void },
  ) {
    this.past = source.kind === 'replay'
    this.turn = new Turn<View, Draft>(source, {
      moment: () => this.moment(),
      fresh: () => NOTHING,
      begun: ({ move, route }) => move !== null || route !== null,
      emptied: (draft) => ({ ...NOTHING, tickets: draft.tickets }),
      covers: () => !this.turn.view.finished,
      learned: (seat) => this.blindCard(seat) !== null,
      paused: () => false,
      sounds: { opening: 'turn', drafted: 'card', made: 'card' },
      opening: page.opening,
      focus: (why) => {
        if (why === 'back') page.focus()
        else
          requestAnimationFrame(() => document.activeElement?.matches('body, main') && page.focus())
      },
    })
    this.display = new Display(() => this.turn.view.display)
  }

  /** However much happens elsewhere at the table, a seat decides the same until it has moved. */
  private moment(): string {
    const { table, seat, view, waiting } = this.turn
    const decided = table.log.filter((line) => line.seat === seat).length
    return `${table.id} ${seat} ${decided} ${view.phase} ${waiting.includes(seat)}`
  }

  /** The card that a seat took from the pile with the last move of this screen, else null. */
  blindCard(seat: number): string | null {
    // At a shared screen the log tells it to nobody, but it is in the hand.
    const hand = this.turn.views.find((view) => view.seat === seat)?.hand ?? {}
    const before = this.beforePile?.seat === seat ? this.beforePile.hand : hand
    return Object.keys(hand).find((card) => hand[card]! > (before[card] ?? 0)) ?? null
  }

  // --- what can be drafted

  /** Whether the seat chooses among tickets. */
  readonly choosing = $derived.by(() => {
    const { acting, view } = this.turn
    return acting && view.offered.length > 0 && (view.phase === 'opening' || view.phase === 'keep')
  })
  /** Whether somebody at this page may look at routes and take them. */
  readonly canPick = $derived.by(() => !this.turn.view.finished && !this.turn.covered && !this.past)
  /** The ways to pay for each route that can be taken. */
  readonly ways = $derived.by(() => {
    const ways = payments(this.turn.acting ? this.turn.legal : [])
    const wanted = (way: Payment) => this.needs.get(way.card) ?? 0
    for (const some of ways.values())
      some.sort((a, b) => a.buses - b.buses || wanted(a) - wanted(b))
    return ways
  })
  /** Free routes on the cheapest ways of the seat's tickets. */
  readonly wanted = $derived.by(() => {
    const { own_tickets: own, prospects, routes } = this.turn.view
    const open = prospects.filter((one) => own.includes(one.name) && one.state === 'possible')
    return new Set(open.flatMap((one) => one.way.filter((name) => routes[name] === undefined)))
  })
  /** How many cards of each colour those routes need. */
  readonly needs = $derived.by(() => {
    const needs = new Map<string, number>()
    for (const name of this.wanted) {
      const { colour, length } = this.plan.route.get(name)!
      if (colour !== 'grey') needs.set(colour, (needs.get(colour) ?? 0) + length)
    }
    return needs
  })
  readonly free = $derived.by(() => new Set(this.ways.keys()))
  readonly hintedRoute = $derived.by(() => routeOf(this.turn.hinted))
  /** The tickets that are ticked, as a move. */
  readonly keeping = $derived.by(() => {
    const { draft, view } = this.turn
    const kept = view.offered.flatMap((name, i) => (draft.tickets.includes(name) ? [i + 1] : []))
    return ['keep', ...kept].join(' ')
  })

  /** The move that is picked, as a hint compares it. */
  get picked(): string | null {
    return this.choosing ? this.keeping : this.turn.draft.move
  }

  // --- drafting

  private propose(move: string, route: string | null, slot: number | null = null): void {
    const heard = say('web.tickettoride.heard_draft', { move: this.doing(move, slot) })
    this.turn.propose({ ...this.turn.draft, move, route, slot }, heard)
  }

  /** What the button says that makes the drafted move. */
  get label(): string {
    return doing(this.plan, this.turn.draft.move)
  }

  /** A move in words; of two alike cards it says which. */
  private doing(move: string | null, slot: number | null): string {
    const text = doing(this.plan, move)
    const { cards } = this.display
    if (slot === null || cards.filter((card) => card === cards[slot]).length < 2) return text
    const nth = say('web.tickettoride.nth_card', { nth: slot + 1, count: cards.length })
    return `${text} (${nth})`
  }

  /** Picks a card, which lies in a slot if it is face up, the tickets or a pass. */
  pick(move: string, slot: number | null = null): void {
    const { turn } = this
    const { draft } = turn
    if (!turn.acting) return
    const again = draft.move === move && draft.slot === slot
    if (!turn.legal.includes(move)) void turn.explain({ ...NOTHING, tickets: draft.tickets }, move)
    else if (again && turn.confirmsAgain) void this.send()
    else {
      this.propose(move, null, slot)
      if (turn.atOnce) void this.send()
    }
  }

  /** Sends the drafted move. */
  async send(): Promise<void> {
    const { move, slot } = this.turn.draft
    if (slot !== null) this.display.take(slot)
    this.beforePile = move === 'take pile' ? this.turn.view : null
    await this.turn.send(move)
  }

  pickRoute(route: string, by: Means): void {
    const { turn } = this
    const { draft, acting } = turn
    turn.means = by
    const way = this.ways.get(route)?.[0]
    const looking = { ...draft, move: null, slot: null, route }
    if (acting && draft.route === route && draft.move) {
      if (turn.confirmsAgain) void turn.send(draft.move)
    } else if (way) this.propose(way.text, route)
    else if (acting) void turn.explain(looking, `claim ${route}`)
    else {
      turn.plan(looking)
      announce(this.describe(route))
    }
  }

  /** Looks at no route any more; no move is taken back. */
  leaveRoute(): void {
    const { turn } = this
    turn.plan({ ...NOTHING, tickets: turn.draft.tickets })
    if (turn.means === 'key') this.page.focus()
  }

  /** Picks a way to pay for the route that is looked at. */
  pay(move: string): void {
    const { turn } = this
    if (turn.atOnce || (turn.draft.move === move && turn.confirmsAgain)) void turn.send(move)
    else this.propose(move, turn.draft.route)
  }

  keep(tickets: string[]): void {
    this.turn.plan({ ...this.turn.draft, tickets })
  }

  /** A route in words, with whose it is. */
  describe(name: string): string {
    const route = this.plan.route.get(name)!
    const owner = this.turn.view.routes[name]
    const { closed } = this.turn.view
    const open = this.free.has(name) ? 'can_take' : closed.includes(name) ? 'closed' : 'free'
    const state =
      owner !== undefined ? takenBy(this.turn.table, owner) : say(`web.tickettoride.${open}`)
    return `${routeName(this.plan, route)}, ${routeFacts(route)}, ${state}`
  }
}
