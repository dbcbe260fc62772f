import { expect, test } from 'vitest'
import type { SeatReview } from '../api/schema'
import { printed, shownParts, sumOf, tenths, wholeSum } from './figures'

test('tenths round halves away from zero', () => {
  expect([49, 50, 149, 150, -50, -49, -150].map(tenths).map((n) => n + 0)).toEqual([
    0, 1, 1, 2, -1, 0, -2,
  ])
})

test('printed figures add up whatever is rounded', () => {
  let seed = 1
  const random = () => (seed = (seed * 48271) % 2147483647) % 30011
  for (let game = 0; game < 500; game++) {
    const parts = [random() + 100_000, random() - 15_000, -random(), random() - 15_000]
    const sum = parts.reduce((a, b) => a + b, 0)
    const shown = printed(parts)
    expect(shown.reduce((a, b) => a + b, 0)).toBe(tenths(sum))
    shown.forEach((figure, i) => expect(Math.abs(10 * figure - parts[i]! / 10)).toBeLessThan(11))
  }
})

test('whole numbers add up too', () => {
  let seed = 7
  const random = () => (seed = (seed * 48271) % 2147483647) % 30011
  for (let game = 0; game < 500; game++) {
    const [start, luck, loss, others, recount] = [1, 2, 3, 4, 5].map(() => random()) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const seat = { start, luck: luck - 15_000, loss, others, recount } as SeatReview
    const sum = wholeSum(seat)
    const exact = start + luck - 15_000 - loss + others + recount
    expect(sum.start + sum.luck + sum.loss + sum.others + sum.recount).toBe(sum.result)
    expect(Math.abs(sum.result - exact / 1000)).toBeLessThanOrEqual(0.5)
    expect(Math.abs(sum.loss + loss / 1000)).toBeLessThanOrEqual(1)
  }
})

test('a sum shows its parts, and leaves out what is nothing', () => {
  const seat = { start: 154_312, luck: 3201, loss: 12_005, others: 0, recount: 492 } as SeatReview
  const sum = sumOf(seat)
  expect(sum).toEqual({ start: 1543, luck: 32, loss: -120, others: 0, recount: 5, result: 1460 })
  expect(shownParts(sum)).toEqual(['start', 'luck', 'loss', 'recount', 'result'])
})
