/** Things of the game in words, from the catalogue. */

import type { SeatHead } from '../../../api/schema'
import type { Values } from '../../../shell/fill'
import { listed, say } from '../../../shell/texts.svelte'
import { isYou, seatName } from '../../../table/names'
import type { SeenMove, Turn } from './turns'
import { keptTickets, type Move, parseMove } from '../turn/notation'
import type { Plan } from '../board/plan'
import type { Prospect, Route, View } from '../types'

export const cardName = (kind: string): string => say(`card.${kind}`)

/** Cards of a kind with their number: "2 blue". */
export const cardCount = (kind: string, n: number): string => say(`count.${kind}_cards`, { n })

/** Cards with their numbers: "2 blue, 1 bus". */
export const cards = (counts: [string, number][]): string =>
  counts
    .filter(([, n]) => n)
    .map(([kind, n]) => cardCount(kind, n))
    .join(', ')

/** What is paid: "1 blue, 2 buses". */
export function payment(route: Route, way: { card: string; buses: number }): string {
  const length = route.length
  return cards(
    way.card === 'bus'
      ? [['bus', length]]
      : [
          [way.card, length - way.buses],
          ['bus', way.buses],
        ],
  )
}

/** A move as the button says it that makes it. */
export function doing(plan: Plan, text: string | null): string {
  const move = parseMove(text)
  if (move?.kind === 'take')
    return move.card === 'pile'
      ? say('web.tickettoride.do.pile')
      : say('web.tickettoride.do.take', { card: move.card })
  if (move?.kind === 'claim')
    return say('web.tickettoride.do.claim', { cards: payment(plan.route.get(move.route)!, move) })
  if (move?.kind === 'tickets') return say('web.tickettoride.do.tickets')
  return say('web.confirm_move')
}

/** What the sentences about a route say of it. */
function claimed(plan: Plan, move: Move & { kind: 'claim' }): Values {
  const route = plan.route.get(move.route)!
  return { route: plan.title(route), cards: payment(route, move), points: route.points }
}

/** A move as a noun: "taking a blue card"; `offered` are the tickets to choose from. */
export function moveName(plan: Plan, offered: readonly string[], text: string): string {
  const move = parseMove(text)
  if (!move) return text
  const act = (how: string, values: Values = {}) => say(`web.tickettoride.act.${how}`, values)
  if (move.kind === 'claim') return act('claim', claimed(plan, move))
  if (move.kind === 'take')
    return move.card === 'pile' ? act('pile') : act('take', { card: move.card })
  if (move.kind !== 'keep') return act(move.kind)
  const names = keptTickets(offered, text)
  // The tickets that were offered are gone when all have chosen.
  if (names.length < move.count) return act('keep_some', { count: move.count })
  return act('keep', { tickets: names.map((name) => ticketName(plan, name)).join(', ') })
}

/** A turn of the log in words, after a name or after "you". */
export function turnText(plan: Plan, turn: Turn, you = false): string {
  const who = you ? 'you' : 'they'
  const told = (how: string, values: Values = {}) =>
    say(`web.tickettoride.log.${who}.${how}`, values)
  const one = (move: SeenMove): string => {
    if (move.kind === 'claim') return told('claim', claimed(plan, move))
    if (move.kind === 'keep') return told('keep', { count: move.count })
    if (move.kind !== 'take') return told(move.kind)
    const { how, card } = taken(move)
    return told(how, { card })
  }
  const [first, second] = turn.moves
  if (!first || !second) return first ? one(first) : ''
  if (first.kind === 'tickets' && second.kind === 'keep')
    return told('tickets_keep', { count: second.count })
  const [a, b] = [taken(first), taken(second)]
  if (a.how !== b.how) return told('and', { first: one(first), second: one(second) })
  if (a.card === b.card) return told(`${a.how}_two`, { card: a.card })
  if (a.card === 'bus' || b.card === 'bus')
    return told(`${a.how}_bus`, { card: a.card === 'bus' ? b.card : a.card })
  return told(`${a.how}_both`, { first: a.card, second: b.card })
}

/** How a card was taken: face up, from the pile and seen, or from the pile. */
function taken(move: SeenMove): { how: 'take' | 'drawn' | 'pile'; card: string } {
  const card = move.kind === 'take' ? move.card : ''
  if (card !== 'pile') return { how: 'take', card }
  return move.drawn ? { how: 'drawn', card: move.drawn } : { how: 'pile', card }
}

/** A turn in a few words: "claims Trafalgar Square – Big Ben". */
export function briefText(plan: Plan, turn: Turn, you: boolean): string {
  const [move] = turn.moves
  if (move?.kind !== 'claim') return turnText(plan, turn, you)
  const route = plan.title(plan.route.get(move.route)!)
  return say(`web.tickettoride.log.${you ? 'you' : 'they'}.claim_brief`, { route })
}

/** Whose a route is. */
export const takenBy = (table: { seats: SeatHead[] }, seat: number): string =>
  isYou(table, seat)
    ? say('web.tickettoride.taken_by_you')
    : say('web.tickettoride.taken_by', { name: seatName(table, seat) })

/** A ticket by its places and points. */
export function ticketName(plan: Plan, name: string): string {
  const ticket = plan.ticket.get(name)!
  return say('web.tickettoride.ticket', { ticket: plan.title(ticket), points: ticket.points })
}

/** How a ticket stands, in words. */
export const standing = (prospect: Prospect): string =>
  say(`web.tickettoride.state.${prospect.state}`, { spaces: prospect.spaces })

/** A route by its places; the halves of a double route have names of their own. */
export const routeName = (plan: Plan, route: Route): string =>
  route.half
    ? say('web.tickettoride.half', { route: plan.title(route), half: route.half })
    : plan.title(route)

/** What is printed of a route: "2 spaces, blue". */
export const routeFacts = (route: Route): string =>
  say('web.tickettoride.route_facts', {
    length: route.length,
    colour: say(route.colour === 'grey' ? 'web.tickettoride.any_colour' : `card.${route.colour}`),
    points: route.points,
  })

/** Who has won, as the blind says it: "Ada wins". */
export function wonShort(table: { seats: SeatHead[] }, winners: readonly number[]): string {
  const names = winners.map((seat) => seatName(table, seat))
  if (winners.length === 1 && isYou(table, winners[0]!)) return say('web.tickettoride.you_win')
  const key = winners.length > 1 ? 'win_together' : 'wins'
  return say(`web.tickettoride.${key}`, { names: listed(names) })
}

/** Where the points of a score come from: "20 routes + 20 tickets + 1 district". */
export const standingAt = ({ routes, tickets, districts }: View['scores'][number]): string =>
  say('tickettoride.final', { routes, tickets, districts })
