import { expect, test } from 'vitest'
import { moveText, pair, parseMove } from './notation'

const MOVES = [
  'pass',
  'd2a2',
  '=d2a2',
  '!joker d2a2',
  '!switch =d2a2',
  '~ d2a2',
  'd2a2 +a2c4',
  'pass *d2',
  '~ =d2a2 *a2',
  '!joker d2a2 +a2c4 *c4',
]

test.each(MOVES)('%s is read and written alike', (text) => {
  expect(moveText(parseMove(text)!)).toBe(text)
})

test.each(['', 'd2', 'd2a2a3', 'a2 d2', '+d2a2', 'd2a2 *', '!second d2a2', 'd2a2  *a2'])(
  '"%s" is no move',
  (text) => {
    expect(parseMove(text)).toBeNull()
  },
)

test('the parts of a move', () => {
  expect(parseMove('~ =d2a2 *a2')).toEqual({
    way: '~',
    double: true,
    section: ['d2', 'a2'],
    second: null,
    circle: 'a2',
  })
  expect(parseMove('pass *d2')!.section).toBeNull()
})

test('sections of a view', () => {
  expect(pair('=c3c4')).toEqual(['c3', 'c4'])
})
