/** What the review of a game shows: the board at a moment, cards and moves in words. */

import type { Turn } from '../../../api/schema'
import { hasText, say } from '../../../shell/texts.svelte'
import type { PastView } from '../../registry'
import { moveName as nameOf, ticketName } from './labels'
import { Plan } from '../board/plan'
import type { MapData, View } from '../types'

export { default as Moment } from '../board/Moment.svelte'

/** The moment before the event; for what is dealt, the moment when it is there. */
export function momentOf(turn: Turn, past: readonly PastView[]): number {
  const at = past.findIndex(({ number }) => number >= turn.number!)
  return at < 0 ? past.length - 1 : at
}

export const moveName = (map: unknown, view: unknown, text: string): string =>
  nameOf(new Plan(map as MapData), (view as View).offered, text)

/** A card, tickets by their places, or what the game deals at once. */
export function dealtName(map: unknown, text: string): string {
  const plan = new Plan(map as MapData)
  if (hasText(`dealt.${text}`)) return say(`dealt.${text}`)
  return text
    .split(' ')
    .map((name) => (plan.ticket.has(name) ? ticketName(plan, name) : say(`card.${name}`)))
    .join(', ')
}
