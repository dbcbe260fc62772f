import { expect, it } from 'vitest'
import type { TableView } from '../../../api/schema'
import type { View } from '../types'
import { STORY } from './scenes'

const MOVES = ['c5d5', 'pass', 'f7f8 +f8g8']

/** A table before turn `turn + 1`: all moves of the turns before are made, and brought points. */
function tableOf(turn: number, ...totals: number[]): TableView {
  const sheets = totals.map((total) => ({ lines: [], score: { total, loop: -9, deduction: 0 } }))
  const moved = totals.map(() => false)
  const view = { turn, round: 1, finished: false, card: 'street:circle', sheets, moved }
  const seats = totals.map((_, seat) => seat)
  const log = Array.from({ length: turn }, () => seats).flat()
  return {
    log: log.map((seat, number) => ({ number, seat, text: MOVES[seat] })),
    views: { 0: view },
  } as unknown as TableView
}
const totals = (table: TableView | undefined) =>
  (table!.views['0'] as unknown as View).sheets.map(({ score }) => score.total)

it('tells ink, then what each move brought; the score comes last', () => {
  const [scene] = STORY.scenes(tableOf(3, 10, 20, 30), tableOf(4, 14, 20, 37))
  const [ink, gains] = scene!.steps
  expect(totals(ink!.table)).toEqual([10, 20, 30])
  expect(gains!.table).toBeUndefined()
  expect(gains!.gains).toEqual([
    { seat: 0, points: 4, station: 'd5' },
    { seat: 2, points: 7, station: 'g8' },
  ])
})

it('shows nothing that rises where nothing was brought', () => {
  const [scene] = STORY.scenes(tableOf(3, 10), tableOf(4, 10))
  expect(scene!.steps).toHaveLength(1)
})

it('shows after an absence what all turns brought together', () => {
  const [scene] = STORY.scenes(tableOf(1, 0), tableOf(4, 9))
  expect(scene!.steps[1]!.gains).toEqual([{ seat: 0, points: 9, station: 'd5' }])
})
