/** Things of the game in words, from the catalogue. */

import type { SeatHead } from '../../api/schema'
import { say } from '../../shell/texts.svelte'
import { isYou, seatName } from '../../table/names'
import type { Turn } from './turns'
import { parseMove } from './notation'
import type { Plan } from './plan'
import type { Prospect, Route } from './types'

export const cardName = (kind: string): string => say(`card.${kind}`)

/** Cards with their numbers: "2 blue, 1 bus". */
export const cards = (counts: [string, number][]): string =>
  counts
    .filter(([, n]) => n)
    .map(([kind, n]) => `${n} ${cardName(kind)}`)
    .join(', ')

/** What is paid: "1 blue, 2 bus". */
export function payment(route: Route, way: { card: string; buses: number }): string {
  const length = route.spaces.length
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
  const move = text ? parseMove(text) : null
  if (move?.kind === 'take')
    return move.card === 'pile'
      ? say('web.tickettoride.do.pile')
      : say('web.tickettoride.do.take', { card: move.card })
  if (move?.kind === 'claim')
    return say('web.tickettoride.do.claim', { cards: payment(plan.route.get(move.route)!, move) })
  if (move?.kind === 'tickets') return say('web.tickettoride.do.tickets')
  return say('web.confirm_move')
}

/** Words as they stand inside a sentence. */
const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A move in words, like the log's where possible; `offered` are the tickets to choose from. */
export function moveName(plan: Plan, offered: readonly string[], text: string): string {
  const move = parseMove(text)
  if (move?.kind === 'claim') {
    const route = plan.route.get(move.route)!
    return say('web.tickettoride.log.claim', {
      route: plan.title(route),
      cards: payment(route, move),
      points: route.points,
    })
  }
  if (move?.kind === 'keep') {
    const kept = text.split(' ').slice(1)
    const names = kept.flatMap((n) => {
      const name = offered[Number(n) - 1]
      return name ? [ticketName(plan, name)] : []
    })
    // The tickets that were offered are gone when all have chosen.
    if (names.length < kept.length)
      return small(say('web.tickettoride.keep', { count: kept.length }))
    return small(say('web.tickettoride.do.keep', { tickets: names.join(', ') }))
  }
  return small(move?.kind === 'pass' ? say('web.pass') : doing(plan, text))
}

/** A turn of the log in words, after a name or after "you". */
export function turnText(plan: Plan, turn: Turn, you = false): string {
  const who = you ? 'you' : 'they'
  const parts = turn.moves.map((move) => {
    if (move.kind === 'take') {
      const [how, card] =
        move.card !== 'pile' ? ['take', move.card] : move.drawn ? ['drawn', move.drawn] : ['pile']
      return say(`web.tickettoride.log.${who}.${how}`, card ? { card } : {})
    }
    if (move.kind === 'claim') {
      const route = plan.route.get(move.route)!
      return say('web.tickettoride.log.claim', {
        route: plan.title(route),
        cards: payment(route, move),
        points: route.points,
      })
    }
    const { kind } = move
    return say(`web.tickettoride.log.${who}.${kind}`, kind === 'keep' ? { count: move.count } : {})
  })
  return parts.join(', ')
}

/** A turn in a few words: "Trafalgar Square – Big Ben, +1". */
export function noticeText(plan: Plan, turn: Turn, you: boolean): string {
  const [move] = turn.moves
  if (move?.kind !== 'claim') return turnText(plan, turn, you)
  const route = plan.route.get(move.route)!
  return say('web.tickettoride.notice', { route: plan.title(route), points: route.points })
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

/** What is printed of a route: "2 spaces, blue". */
export const routeFacts = (route: Route): string =>
  say('web.tickettoride.route_facts', {
    length: route.spaces.length,
    colour: say(route.colour === 'grey' ? 'web.tickettoride.any_colour' : `card.${route.colour}`),
    points: route.points,
  })
