import { expect, it } from 'vitest'
import { reading, seatTime, shareLeft } from './clock'

it('the time of a seat that has to move runs, a bank of another one stands still', () => {
  const clocks = { ends: { '0': 130 }, banks: { '0': 60, '1': 45 } }
  expect(seatTime(clocks, 0, 100)).toEqual({ left: 30, running: true })
  expect(seatTime(clocks, 0, 131)).toEqual({ left: 0, running: true })
  expect(seatTime(clocks, 1, 100)).toEqual({ left: 45, running: false })
  expect(seatTime({ turn_ends: 130, ends: { '0': 130 } }, 1, 100)).toBeNull()
})

it('a time that is over without any news is not shown', () => {
  expect(seatTime({ ends: { '0': 130 }, banks: { '0': 60 } }, 0, 134)).toBeNull()
})

it.each([
  [0, 'seconds', 0, 0],
  [0.37, 'seconds', 0, 3],
  [9.99, 'seconds', 9, 9],
  [10, 'minutes', 0, 10],
  [599.9, 'minutes', 9, 59],
  [3600, 'hours', 1, 0],
  [86_399, 'hours', 23, 59],
  [86_400, 'days', 1, 0],
  [3 * 86_400 - 1, 'days', 2, 23],
])('%d seconds', (left, unit, whole, part) => {
  expect(reading(left)).toEqual({ unit, whole, part })
})

it('a ring shows how much is left of a turn, of a bank and of days', () => {
  expect(shareLeft({ kind: 'turn', seconds: 60 }, 15)).toBe(0.25)
  expect(shareLeft({ kind: 'bank', seconds: 300, increment: 5 }, 330)).toBe(1)
  expect(shareLeft({ kind: 'days', days: 2 }, 86_400)).toBe(0.5)
  expect(shareLeft({ kind: 'none' }, 5)).toBe(1)
})
