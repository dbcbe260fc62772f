import { expect, it } from 'vitest'
import { type MoveTag, tagsApart } from './tagPlaces'

const BOARD = { width: 400, height: 300 }
const text = 'Better'
const tag = (kind: MoveTag['kind'], x: number, y: number): MoveTag => ({ kind, text, x, y })

it('puts the tags of moves with the same end on both sides of it', () => {
  const [played, best] = tagsApart([tag('played', 200, 150), tag('best', 200, 150)], BOARD, 12, 10)
  expect(played!.y).toBeLessThan(150 - 10)
  expect(best!.y).toBeGreaterThan(150 + 10)
})

it('keeps tags on the board', () => {
  for (const x of [0, 400])
    for (const y of [5, 295]) {
      const [placed] = tagsApart([tag('best', x, y)], BOARD, 12, 10)
      expect(placed!.x - placed!.wide / 2).toBeGreaterThanOrEqual(0)
      expect(placed!.x + placed!.wide / 2).toBeLessThanOrEqual(400)
      expect(placed!.y).toBeGreaterThan(9)
      expect(placed!.y).toBeLessThan(291)
    }
})
