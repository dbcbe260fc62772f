/** What the review of a game shows: the sheet at a moment, cards and moves in words. */

import { inLanguage, say } from '../../../shell/texts.svelte'
import type { ReviewParts } from '../../registry'
import type { City } from '../board/city'
import { actName, cardName, dealName } from './labels'
import Moment from '../board/Moment.svelte'
import Dealt from '../turn/Dealt.svelte'
import type { View } from '../types'

/** The pencil of a seat in a round. */
const inkOf = ({ pencils, seat }: View, round: number): string => pencils[seat]?.[round - 1] ?? ''

export const partsOn = (city: City): Omit<ReviewParts<City, View>, 'map' | 'note' | 'Play'> => ({
  Moment,
  Dealt,
  inkOf,
  /** The first moment of the turn, when its card is there and nobody has moved. */
  momentOf: (turn, past) =>
    past.findIndex(
      ({ view }) => view.round === turn.round && (view.turn === turn.turn || turn.turn === 0),
    ),
  moveName: (_, text) => actName(text),
  /** "Street, circle"; a switch stands before its card. */
  dealtName: (text) =>
    text.startsWith('special') ? dealName(city, text) : text.split(' ').map(cardName).join(' + '),
  /** Lines by their colour, the river by its name. */
  partName: (view, part) => {
    const [kind, round] = part.split(':')
    if (kind === 'districts')
      return say('web.nextstation.part.districts', { colour: inkOf(view, Number(round)) })
    if (kind !== 'river') return say(`review.part.${kind}`)
    return say('web.nextstation.part.river', { river: inLanguage(city.data.river_name) })
  },
})
