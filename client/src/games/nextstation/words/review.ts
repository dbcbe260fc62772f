/** What the review of a game shows: the sheet at a moment, cards and moves in words. */

import type { Turn } from '../../../api/schema'
import { inLanguage, say } from '../../../shell/texts.svelte'
import type { PastView } from '../../registry'
import { City } from '../board/city'
import { actName, cardName, dealName } from './labels'
import type { MapData, View } from '../types'

export { default as Moment } from '../board/Moment.svelte'

/** The first moment of the turn, when its card is there and nobody has moved. */
export const momentOf = (turn: Turn, past: readonly PastView[]): number =>
  past.findIndex(({ view }) => {
    const { round, turn: number } = view as View
    return round === turn.round && (number === turn.turn || turn.turn === 0)
  })

export const moveName = (_map: unknown, _view: unknown, text: string): string => actName(text)

/** "Street, circle"; a switch stands before its card. */
export function dealtName(map: unknown, text: string): string {
  if (text.startsWith('special')) return dealName(new City(map as MapData), text)
  return text.split(' ').map(cardName).join(' + ')
}

/** Lines by their colour, the river by its name. */
export function partName(map: unknown, view: unknown, part: string): string {
  const [kind, round] = part.split(':')
  if (kind === 'districts')
    return say('web.nextstation.part.districts', { colour: inkOf(view, Number(round)) })
  if (kind !== 'river') return say(`review.part.${kind}`)
  return say('web.nextstation.part.river', { river: inLanguage((map as MapData).river_name) })
}

/** The pencil of a seat in a round. */
export function inkOf(view: unknown, round: number): string {
  const { pencils, seat } = view as View
  return pencils[seat]?.[round - 1] ?? ''
}
