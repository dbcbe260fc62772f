/** The first game, step by step: what the coach says, when, and what it points at. */

import type { Lesson, Situation } from '../../../learn/lesson'
import type { View } from '../types'

const mine = ({ view, seat }: Situation<View>) => view.points[seat]! > 0
/** Whether one of the tickets that are seen stands so. */
const stands = (state: string) => (situation: Situation<View>) =>
  situation.view.prospects.some((prospect) => prospect.state === state)
const PLAYERS = ['[data-part=players]']
const TICKETS = ['[data-part=tickets]']
const CARDS = ['button.confirm:enabled', '[data-part=supply]']

const first: Lesson<View> = {
  texts: 'web.tickettoride.learn',
  seed: 47, // the learner begins, and two cards of a kind lie open
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'tourist' }],
  steps: [
    {
      name: 'tickets',
      at: ['[data-testid=keep]:enabled', '[data-part=choice] label'],
      waits: true,
    },
    { name: 'board', at: ['[data-part=board]'] },
    { name: 'hand', at: ['[data-part=hand]'] },
    { name: 'take', at: CARDS, waits: true },
    {
      name: 'second',
      at: CARDS,
      waits: true,
      when: ({ view, seat }) => view.taken > 0 && view.turn === seat,
    },
    { name: 'claimed', at: PLAYERS, when: mine },
    { name: 'route', at: ['[data-part=board]'] },
    { name: 'own_tickets', at: TICKETS },
    { name: 'players', at: PLAYERS },
    { name: 'alone', at: ['[data-part=hint]', '[data-part=rules]'] },
  ],
  remarks: [
    { name: 'last_round', when: ({ view }) => view.turns_left !== null },
    { name: 'done', at: TICKETS, when: stands('done') },
    { name: 'impossible', at: TICKETS, when: stands('impossible') },
    { name: 'claimed', at: PLAYERS, when: mine },
    {
      name: 'can_claim',
      at: ['[data-part=board]'],
      when: (situation) =>
        !mine(situation) && situation.legal.some((move) => move.startsWith('claim')),
    },
    { name: 'wild', at: ['[data-part=hand]'], when: ({ view }) => (view.hand.bus ?? 0) > 0 },
    {
      name: 'open_bus',
      at: ['[data-part=supply] [data-card=bus]'],
      when: ({ view, legal }) => legal.length > 0 && view.display.includes('bus'),
    },
    { name: 'few_buses', at: PLAYERS, when: ({ view }) => Math.min(...view.buses) < 7 },
  ],
  end: [
    { name: 'end_routes', at: ['[data-part=count]', '[data-part=end] .totals'] },
    { name: 'end_tickets', at: ['[data-part=count]', '[data-part=end] .totals'] },
    {
      name: 'bye',
      at: ['[data-part=end] .totals'],
      values: ({ view, seat }) => ({ total: view.scores[seat]?.total ?? 0 }),
    },
  ],
}

export const lesson = first as Lesson
