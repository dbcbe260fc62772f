import { expect, it } from 'vitest'
import type { ScoreSheet } from '../types'
import { built, debts } from './standing'

const score = { total: -24, loop: -24, deduction: 0 } as ScoreSheet

it('begins at nothing, with the debts beside it, and ends at the total', () => {
  expect(built(score, false)).toBe(0)
  expect(debts(score)).toEqual([{ key: 'loop_debt', points: -24 }])
  expect(built({ ...score, total: 31, loop: -9, deduction: -20 }, false)).toBe(60)
  expect(built({ ...score, total: 31, loop: -9, deduction: -20 }, true)).toBe(31)
  expect(debts({ ...score, loop: 0, deduction: -10 })).toEqual([
    { key: 'modules_debt', points: -10 },
  ])
})
