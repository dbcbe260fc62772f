/** What the review of a game shows: the sheet at a moment, cards and moves in words. */

import type { Turn } from '../../api/schema'
import type { PastView } from '../registry'
import { City } from './city'
import { cardName, dealName, moveName as nameOf } from './labels'
import type { MapData, View } from './types'

export { default as Moment } from './Moment.svelte'

/** The first moment of the turn, when its card is there and nobody has moved. */
export const momentOf = (turn: Turn, past: readonly PastView[]): number =>
  past.findIndex(({ view }) => {
    const { round, turn: number } = view as View
    return round === turn.round && (number === turn.turn || turn.turn === 0)
  })

export const moveName = (_map: unknown, _view: unknown, text: string): string => nameOf(text)

/** "Street, circle"; a switch stands before its card. */
export function dealtName(map: unknown, text: string): string {
  if (text.startsWith('special')) return dealName(new City(map as MapData), text)
  return text.split(' ').map(cardName).join(' + ')
}

/** The pencil of a seat in a round. */
export function inkOf(view: unknown, round: number): string {
  const { pencils, seat } = view as View
  return pencils[seat]?.[round - 1] ?? ''
}
