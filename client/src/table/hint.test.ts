import { expect, it } from 'vitest'
import { weigh } from './hint'

const judged = (move: string, value: number, error = 0.5) => ({
  move,
  value,
  error,
  simulations: 100,
})
const hint = {
  measure: 'score' as const,
  moves: [judged('d2a2', 120), judged('d2f0', 116), judged('pass', 90)],
}

it('compares the best with the second best while nothing is picked', () => {
  expect(weigh(hint, null)).toMatchObject({
    best: { move: 'd2a2' },
    other: { move: 'd2f0' },
    gain: 4,
    even: 'no',
    chosen: false,
  })
})

it('compares the best with what is picked', () => {
  expect(weigh(hint, 'pass')).toMatchObject({ other: { move: 'pass' }, gain: 30, chosen: false })
  expect(weigh(hint, 'd2a2')).toMatchObject({ other: { move: 'd2f0' }, chosen: true })
})

it('a pick that the search has not looked at does not count', () => {
  expect(weigh(hint, 'd2e3')).toMatchObject({ other: { move: 'd2f0' }, chosen: false })
})

it('a difference within the error is none', () => {
  const near = {
    ...hint,
    moves: [judged('a', 10, 0.4), judged('b', 9.6, 0.3), judged('c', 2, 0.3)],
  }
  expect(weigh(near, null).even).toBe('both')
  expect(weigh({ ...near, moves: near.moves.slice(0, 2) }, null).even).toBe('all')
})

it('a single move is compared with nothing', () => {
  expect(weigh({ ...hint, moves: hint.moves.slice(0, 1) }, null)).toMatchObject({
    other: null,
    even: 'no',
  })
})
