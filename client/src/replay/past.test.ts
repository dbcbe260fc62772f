import { expect, it } from 'vitest'
import type { GameReplay } from '../api/schema'
import { tableAt, wholeViews } from './past'

const replay = {
  game: 'g',
  map: 'm',
  title: {},
  options: {},
  secret_hands: true,
  seats: [{ seat: 0, name: 'Ada', kind: 'person', mine: true, online: true }],
  moments: [
    { number: 2, seat: -1, views: { '0': { hand: 1, turn: 1 } } },
    { number: 3, seat: 0, views: { '0': { turn: 2 } } },
    { number: 5, seat: 0, views: { '0': { hand: 3 } } },
  ],
  log: [1, 4, 3, 4, 5].map((known, number) => ({ number, known, seat: 0, text: `${number}` })),
  outcome: { totals: [1], winners: [0], reason: '' },
} as unknown as GameReplay

it('moments add up to whole views', () => {
  expect(wholeViews(replay).map((views) => views['0'])).toEqual([
    { hand: 1, turn: 1 },
    { hand: 1, turn: 2 },
    { hand: 3, turn: 2 },
  ])
})

it('a table of the past is nobody’s and tells what had happened by then', () => {
  const table = tableAt(replay, wholeViews(replay)[1]!, 1, 'x')
  expect(table.seats[0]!.mine).toBe(false)
  expect(table.log.map((line) => line.number)).toEqual([0, 2])
  expect([table.finished, table.outcome]).toEqual([false, null])
  expect(tableAt(replay, {}, 2, 'x').outcome).toEqual(replay.outcome)
})
