import { expect, it } from 'vitest'
import { along, scribble } from './geometry'
import type { Point } from '../types'

const BENT: Point[] = [
  [0, 0],
  [30, 0],
  [30, 10],
]

it('finds a place along a way with bends', () => {
  expect(along(BENT, 0)).toEqual([0, 0])
  expect(along(BENT, 0.5)).toEqual([20, 0])
  expect(along(BENT, 1)).toEqual([30, 10])
})

it('shades a way from start to end, the same each time, and as far beside it as asked', () => {
  const shaded = scribble(BENT, 6)
  expect(scribble(BENT, 6)).toBe(shaded)
  const strokes = shaded.slice(1).split('L')
  const places = strokes.map((stroke) => stroke.split(' ').map(Number) as Point)
  expect(places.length).toBeGreaterThan(12)
  const flat = places.filter(([x]) => x < 25).map(([, y]) => y)
  const middle = flat.reduce((sum, y) => sum + y, 0) / flat.length
  expect(middle).toBeCloseTo(6, 0)
})
