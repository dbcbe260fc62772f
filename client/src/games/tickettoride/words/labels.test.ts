import { describe, expect, it, vi } from 'vitest'
import { speak } from '../../../shell/texts.svelte'
import { cards, moveName, turnText } from './labels'
import type { Plan } from '../board/plan'
import { turns } from './turns'

// The texts come from the files of the catalogue.
vi.mock('../../../api/server', async () => {
  const { catalogue } = await import('../../../shell/catalogue.testing')
  return { texts: catalogue }
})

const route = { name: 'a-b', length: 3, points: 4 }
const plan = {
  route: new Map([['a-b', route]]),
  ticket: new Map([['a-c', { points: 7 }]]),
  title: () => 'A – B',
} as unknown as Plan

/** Lines of the log as they are written here: whose they are, then what they say. */
const told = (written: string, you: boolean) =>
  turns(
    written.split(', ').map((line, number) => {
      const [seat, ...words] = line.split(' ')
      return { number, seat: Number(seat), text: words.join(' '), turn: 1 }
    }),
  )
    .map((turn) => turnText(plan, turn, you))
    .join()

const SAID: [log: string, en: string, fr: string][] = [
  ['0 take black, 0 take black', 'takes two black cards', 'prend deux cartes noires'],
  [
    '0 take blue, -1 display pink, 0 take yellow',
    'takes a blue and a yellow card',
    'prend une carte bleue et une jaune',
  ],
  [
    '0 take pile, -1 card 0 yellow, 0 take pile, -1 card 0 blue',
    'draws a yellow and a blue card',
    'pioche une carte jaune et une bleue',
  ],
  [
    '0 take pile, -1 card 0 bus, 0 take pile, -1 card 0 blue',
    'draws a blue card and a bus',
    'pioche une carte bleue et un bus',
  ],
  ['0 take pile, -1 card 0 ?, 0 take pile, -1 card 0 ?', 'draws two cards', 'pioche deux cartes'],
  [
    '0 take orange, 0 take pile, -1 card 0 ?',
    'takes an orange card and draws a card',
    'prend une carte orange et pioche une carte',
  ],
  ['0 take bus', 'takes a bus', 'prend un bus'],
  ['0 tickets, 0 keep ?', 'draws tickets and keeps 1', 'pioche des destinations et en garde 1'],
  [
    '0 claim a-b blue 1',
    'claims A – B with 2 blue, 1 bus (+4)',
    'prend la route A – B avec 2 bleues, 1 bus (+4)',
  ],
  ['0 claim a-b bus 3', 'claims A – B with 3 buses (+4)', 'prend la route A – B avec 3 bus (+4)'],
]

const NAMED: [move: string, en: string, fr: string][] = [
  ['take blue', 'taking a blue card', 'prendre une carte bleue'],
  ['take pile', 'drawing a card', 'piocher une carte'],
  ['tickets', 'drawing tickets', 'piocher des destinations'],
  ['pass', 'passing', 'passer'],
  ['keep 1', 'keeping A – B (7)', 'garder A – B (7)'],
  ['keep 1 2', 'keeping 2 tickets', 'garder 2 destinations'],
  [
    'claim a-b green 0',
    'claiming A – B with 3 green (+4)',
    'prendre la route A – B avec 3 vertes (+4)',
  ],
]

describe.each(['en', 'fr'] as const)('in %s', (lang) => {
  const at = lang === 'en' ? 1 : 2

  it('tells a turn in one sentence', async () => {
    await speak(lang, true)
    for (const said of SAID) expect(told(said[0], false)).toBe(said[at])
  })

  it('names a move inside a sentence', async () => {
    await speak(lang, true)
    for (const named of NAMED) expect(moveName(plan, ['a-c'], named[0])).toBe(named[at])
  })
})

it('speaks to you, and French agrees in gender and number', async () => {
  await speak('fr', true)
  expect(told('0 take pile, -1 card 0 green', true)).toBe('piochez une carte verte')
  expect(told('0 claim a-b green 2', true)).toBe('prenez la route A – B avec 1 verte, 2 bus (+4)')
  expect(
    cards([
      ['black', 2],
      ['orange', 2],
      ['pink', 1],
      ['bus', 0],
    ]),
  ).toBe('2 noires, 2 orange, 1 rose')
})
