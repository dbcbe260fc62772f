/** What the players of a table are called. */

import type { SeatHead } from '../api/schema'
import { hasText, say } from '../shell/texts.svelte'

/** The name at a seat: a person's own, a bot's by its kind and, among several alike, a number. */
export function seatName(table: { seats: SeatHead[] }, seat: number): string {
  const head = table.seats[seat]
  if (!head) return ''
  if (head.kind === 'open') return say('web.open_seat')
  if (head.kind === 'person' || !head.bot) return head.name || say('web.somebody')
  const alike = table.seats.filter((other) => other.kind === 'bot' && other.bot === head.bot)
  const name = hasText(`bot.title.${head.bot}`) ? say(`bot.title.${head.bot}`) : head.name
  return alike.length > 1 ? `${name} ${alike.indexOf(head) + 1}` : name
}
