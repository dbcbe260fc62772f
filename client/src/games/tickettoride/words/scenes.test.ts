import { expect, it } from 'vitest'
import type { TableView } from '../../../api/schema'
import type { Plan } from '../board/plan'
import type { View } from '../types'
import { storyOf } from './scenes'

const route = { name: 'a-b', points: 4, length: 3 }
const story = storyOf({ route: new Map([['a-b', route]]) } as unknown as Plan)

const start: Partial<View> = {
  actors: [1],
  routes: {},
  points: [0, 0],
  buses: [17, 17],
  hands: [2, 5],
  tickets: [2, 2],
  hand: { blue: 2 },
  display: ['blue', 'green'],
  pile: 30,
}
const tableOf = (view: Partial<View>, ...log: [number, string][]): TableView =>
  ({
    seats: [{ mine: true }, { mine: false }],
    legal: { '0': ['pass'] },
    views: { '0': { ...start, ...view } },
    log: log.map(([seat, text], number) => ({ number, seat, text, turn: number })),
  }) as unknown as TableView
const seen = (table: TableView | undefined) => table?.views['0'] as unknown as View

it('a route of somebody: cards, buses, and the points last', () => {
  const after = tableOf({ actors: [0], routes: { 'a-b': 1 }, points: [0, 4] }, [
    1,
    'claim a-b blue 1',
  ])
  const [scene] = story.scenes(tableOf({}), after)
  expect(scene!.steps.map((step) => step.kind)).toEqual(['light', 'pay', 'drive', 'points'])
  expect(scene!.steps[1]!.cards).toEqual(['blue', 'blue', 'bus'])
  const driving = scene!.steps[2]!.table
  expect(seen(driving)).toMatchObject({ routes: { 'a-b': 1 }, points: [0, 0], buses: [17, 14] })
  expect([driving!.legal, seen(driving).actors]).toEqual([{}, [1]])
})

it('a card leaves the supply before the others get theirs', () => {
  const [scene] = story.scenes(tableOf({}), tableOf({ hands: [2, 6] }, [1, 'take green']))
  const flying = seen(scene!.steps[1]!.table)
  expect([flying.display, flying.hands]).toEqual([
    ['blue', null],
    [2, 5],
  ])
})

it('what I draw is turned over before it is in the hand, and I may go on', () => {
  const after = tableOf({ hand: { blue: 2, pink: 1 } }, [0, 'take pile'], [-1, 'card 0 pink'])
  const [scene] = story.scenes(tableOf({}), after)
  const [turned, flown] = scene!.steps
  expect([turned!.kind, turned!.card, seen(turned!.table).hand]).toEqual([
    'flip',
    'pink',
    start.hand,
  ])
  expect(turned!.table!.legal).toEqual(after.legal)
  expect(seen(flown!.table).hand).toEqual({ blue: 2, pink: 1 })
})

it('of several moves each is told on the table that the one before left', () => {
  const log: [number, string][] = [
    [1, 'take blue'],
    [1, 'claim a-b blue 0'],
  ]
  const after = tableOf({ routes: { 'a-b': 1 } }, ...log)
  const [first, second] = story.scenes(tableOf({}), after)
  expect([first!.number, second!.number]).toEqual([0, 1])
  expect(seen(second!.steps[2]!.table).hands).toEqual([2, 3])
  const before = story.rewind(after, 1)
  expect([seen(before).routes, seen(before).buses, before.log.length]).toEqual([{}, [17, 20], 1])
})

it('the last move of a game is told before the game is over', () => {
  const after = { ...tableOf({ finished: true }, [0, 'claim a-b blue 0']), finished: true }
  const [scene] = story.scenes(tableOf({}), after)
  expect(scene!.steps.every((step) => !seen(step.table)?.finished)).toBe(true)
})
