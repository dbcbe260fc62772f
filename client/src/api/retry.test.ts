import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pauseAfter, persist } from './retry'
import { Refused } from './server'

const busy = (seconds: number) => new Refused(429, null, seconds)
const lost = new TypeError('Failed to fetch')

/** Fails a given number of times, then answers. */
function failing(error: Error, times: number) {
  return vi.fn(() => (times-- > 0 ? Promise.reject(error) : Promise.resolve('answer')))
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('waits longer each time, and never less than the server says', () => {
  expect([1, 2, 3, 4, 5, 6].map((n) => pauseAfter(lost, n))).toEqual([
    300, 600, 1200, 2500, 4000, 4000,
  ])
  expect(pauseAfter(busy(7), 1)).toBe(7000)
  expect(pauseAfter(busy(1), 5)).toBe(4000)
})

it('asks a busy server when it says, not before', async () => {
  const send = failing(busy(7), 1)
  const answer = persist(send, () => true)
  await vi.advanceTimersByTimeAsync(6999)
  expect(send).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await answer).toBe('answer')
  expect(send).toHaveBeenCalledTimes(2)
})

it('gives up on a server that stays busy, with what it says', async () => {
  const send = failing(busy(1), Infinity)
  const given = expect(persist(send, () => true)).rejects.toMatchObject({ status: 429 })
  await vi.advanceTimersByTimeAsync(60_000)
  await given
  expect(send).toHaveBeenCalledTimes(6)
})

it('asks for ever while nobody answers, until the page is left', async () => {
  const send = failing(lost, Infinity)
  let open = true
  const answer = persist(send, () => open)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(send.mock.calls.length).toBeGreaterThan(100)
  open = false
  await vi.advanceTimersByTimeAsync(4000)
  expect(await answer).toBeUndefined()
})

it('throws a refusal that stays one at once', async () => {
  const send = failing(new Refused(409, null), 1)
  await expect(persist(send, () => true)).rejects.toMatchObject({ status: 409 })
  expect(send).toHaveBeenCalledTimes(1)
})
