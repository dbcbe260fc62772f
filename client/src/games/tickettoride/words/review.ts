/** What the review of a game shows: the board at a moment, cards and moves in words. */

import { hasText, say } from '../../../shell/texts.svelte'
import type { ReviewParts } from '../../registry'
import { moveName, ticketName } from './labels'
import Moment from '../board/Moment.svelte'
import Cards from '../board/MomentCards.svelte'
import type { Plan } from '../board/plan'
import type { View } from '../types'

export const partsOn = (plan: Plan): Omit<ReviewParts<Plan, View>, 'map' | 'note' | 'Play'> => ({
  Moment,
  Cards,
  /** The moment before the event; for what is dealt, the moment when it is there. */
  momentOf: (turn, past) => {
    const at = past.findIndex(({ number }) => number >= turn.number!)
    return at < 0 ? past.length - 1 : at
  },
  moveName: ({ offered }, text) => moveName(plan, offered, text),
  /** A card, tickets by their places, or what the game deals at once. */
  dealtName: (text) =>
    hasText(`dealt.${text}`)
      ? say(`dealt.${text}`)
      : text
          .split(' ')
          .map((name) => (plan.ticket.has(name) ? ticketName(plan, name) : say(`card.${name}`)))
          .join(', '),
})
