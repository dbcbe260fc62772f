import { expect, it } from 'vitest'
import type { ListedTable } from '../api/schema'
import { ABANDONED_SECONDS, isMyTurn, resultOf, sectionOf, sorted, standingOf } from './games'

const AT = 1_000_000_000
const table = (id: string, more: Partial<ListedTable> = {}, mine = [true, false]): ListedTable =>
  ({
    id,
    seats: mine.map((own, seat) => ({ seat, mine: own, kind: 'person' })),
    clock: { kind: 'none' },
    finished: false,
    changed: AT,
    progress: {},
    ...more,
  }) as ListedTable

it('my turn comes first, and of those the game with the least time', () => {
  const games = [
    table('theirs', { progress: { actors: [1], ends: { '1': AT + 5 } } }),
    table('later', { progress: { actors: [0], ends: { '0': AT + 90 } } }),
    table('sooner', { progress: { actors: [0, 1], ends: { '0': AT + 30, '1': AT + 1 } } }),
    table('old', { changed: AT - 60, progress: { actors: [0] } }),
    table('over', { finished: true }),
  ]
  expect(sorted(games, 'running', AT).map(({ id }) => id)).toEqual([
    'sooner',
    'later',
    'old',
    'theirs',
  ])
  expect(isMyTurn(games[0]!)).toBe(false)
})

it('a game is abandoned when a bot plays for me, or when nobody has touched it for a week', () => {
  const long = { changed: AT - ABANDONED_SECONDS - 1 }
  expect(sectionOf(table('left', {}, [false, false]), AT)).toBe('abandoned')
  expect(sectionOf(table('forgotten', long), AT)).toBe('abandoned')
  expect(sectionOf(table('days', { ...long, clock: { kind: 'days', days: 30 } }), AT)).toBe(
    'running',
  )
  expect(sectionOf(table('over', { ...long, finished: true }), AT)).toBe('finished')
})

it('says how a game ended for me', () => {
  const over = (winners: number[]) => table('over', { finished: true, progress: { winners } })
  expect([over([0]), over([1]), over([0, 1])].map(resultOf)).toEqual(['won', 'lost', 'shared'])
  expect(resultOf(table('alone', { progress: { winners: [0] } }, [true]))).toBeNull()
})

it('says how a game stands for me, alone or against the best of the others', () => {
  const standing = (totals: number[], mine: boolean[]) =>
    standingOf(table('a', { progress: { totals } }, mine))
  expect(standing([12], [true])).toMatchObject({ key: 'points', mine: 12 })
  expect(standing([-24], [true])).toBeNull()
  expect(standing([10, 9], [true, false])).toEqual({ key: 'ahead', mine: 10, other: 9 })
  expect(standing([10, 9, 14], [false, true, false])).toMatchObject({ key: 'behind', other: 14 })
  expect(standing([9, 9], [true, false])).toMatchObject({ key: 'level' })
  expect(standing([9, 9], [true, true])).toBeNull()
})
