import { expect, test } from 'vitest'
import { errors, means, scale } from './plot'

test('the line is the mean of the last results', () => {
  expect(means([10, 20, 30], 2)).toEqual([10, 15, 25])
  expect(means([])).toEqual([])
})

test('the band is the standard error of that mean', () => {
  expect(errors([10, 20, 30], 2)).toEqual([0, 5, 5])
  expect(errors([4, 4, 4, 4])).toEqual([0, 0, 0, 0])
  expect(errors([])).toEqual([])
})

test('the scale has round ends around everything', () => {
  expect(scale([87, 142])).toEqual({ least: 80, most: 160, step: 20 })
  expect(scale([-7])).toEqual({ least: -10, most: -5, step: 5 })
  for (const totals of [
    [3, 999],
    [50, 50],
    [-40, 12],
  ]) {
    const { least, most, step } = scale(totals)
    expect(least).toBeLessThanOrEqual(Math.min(...totals))
    expect(most).toBeGreaterThanOrEqual(Math.max(...totals))
    expect((most - least) / step).toBeLessThanOrEqual(5)
  }
})
