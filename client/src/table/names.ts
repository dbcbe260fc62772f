/** What the players of a table are called. */

import type { Outcome, SeatHead } from '../api/schema'
import { recipeOf } from '../people/faces'
import { hasText, listed, say } from '../shell/texts.svelte'

/** What names need of a table, of a replay or of a list. */
interface Seated {
  seats: SeatHead[]
  finished?: boolean
}

/** A bot by its kind; as it is called where the catalogue does not know it. */
export const botTitle = (bot: string, called = bot): string =>
  hasText(`bot.title.${bot}`) ? say(`bot.title.${bot}`) : called

/** The name at a seat: a person's own, a bot's by its kind and, among several alike, a number. */
export function seatName(table: Seated, seat: number): string {
  const head = table.seats[seat]
  if (!head) return ''
  if (head.kind === 'open' && !head.left) return say('web.open_seat')
  if (head.kind === 'person' || !head.bot || head.former) return personName(head, table.finished)
  const alike = table.seats.filter((other) => other.kind === 'bot' && other.bot === head.bot)
  const name = botTitle(head.bot, head.name)
  return alike.length > 1 ? `${name} ${alike.indexOf(head) + 1}` : name
}

/**
 * What a person is called. Who has deleted their account has no name any more; who still plays
 * without one has just given it up to an account.
 */
const personName = ({ name, kind }: SeatHead, finished = true): string =>
  name || say(finished || kind !== 'person' ? 'web.former_player' : 'web.somebody')

/** What the picture of a seat is drawn from. */
export const faceOf = (head: SeatHead) => ({
  face: head.face || (head.former ? recipeOf(head.name) : undefined),
  name: head.name,
  seat: head.seat,
  bot: head.bot,
})

/** Whether a seat is mine and no other one is: then it is "you". */
export const isYou = (table: Seated, seat: number): boolean =>
  table.seats.filter((head) => head.mine).length === 1 && table.seats[seat]?.mine === true

/** What stands in a list of players: "You" for my only seat, else its name. */
export const playerName = (table: Seated, seat: number): string =>
  isYou(table, seat) ? say('web.you_name') : seatName(table, seat)

/** The same while a table waits, where nobody may sit there yet. */
export const waitingName = (table: Seated, seat: number): string =>
  table.seats[seat]?.kind === 'open' ? say('web.seat', { n: seat + 1 }) : playerName(table, seat)

/** Seats with a name each, where none has one: a record need not name its players. */
export const withNames = (seats: readonly SeatHead[]): SeatHead[] =>
  seats.some((head) => head.name)
    ? [...seats]
    : seats.map((head) => ({ ...head, name: say('web.player', { n: head.seat + 1 }) }))

/** The sentence that says who has won, to me if it is me. */
export function wonText(table: Seated, outcome: Outcome): string {
  const { winners, totals, reason } = outcome
  const others = winners.filter((seat) => !isYou(table, seat))
  const names = listed(others.map((seat) => seatName(table, seat)))
  const how =
    winners.length > 1
      ? 'won_together'
      : reason !== 'outcome.highest'
        ? 'won_close'
        : totals.length === 2
          ? 'won_two'
          : 'won'
  return say(others.length < winners.length ? `web.${how}_you` : `outcome.${how}`, {
    names,
    total: totals[winners[0]!],
    other: totals[1 - winners[0]!],
    reason: say(reason),
  })
}

/** That somebody has moved, after their name in a list of players. */
export const movedText = (table: Seated, seat: number): string =>
  say(isYou(table, seat) ? 'web.have_moved' : 'web.has_moved')

/** Names in a row, then how many more there are: "Ada, Ben and 2 others". */
export function withOthers(names: readonly string[], more: number): string {
  return listed(more > 0 ? [...names, say('web.others_more', { n: more })] : names)
}

/** Whether somebody else plays a seat who is not connected, or has left it. */
export const isAway = (head: SeatHead) => head.kind !== 'bot' && !head.online && !head.mine
