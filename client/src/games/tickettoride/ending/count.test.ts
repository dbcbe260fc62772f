import { expect, it } from 'vitest'
import { countSteps } from './count'

const score = { routes: 10, tickets: 1, districts: 3, total: 14, completed: 1, each_district: [3] }
const scores = [
  {
    ...score,
    each_ticket: [
      { name: 'a-b', points: 4, completed: true, worth: 4 },
      { name: 'c-d', points: 3, completed: false, worth: -3 },
    ],
  },
  {
    ...score,
    tickets: 0,
    districts: 0,
    total: 10,
    completed: 0,
    each_district: [],
    each_ticket: [],
  },
]

it('the counting turns tickets over one by one and ends at the totals', () => {
  const steps = countSteps(scores)
  expect(steps.map((step) => step.kind)).toEqual([
    'routes',
    'ticket',
    'ticket',
    'districts',
    'total',
  ])
  expect(steps.map((step) => step.totals[0])).toEqual([10, 14, 11, 14, 14])
  expect(steps.at(-2)!.totals).toEqual(scores.map((score) => score.total))
  expect(steps.map((step) => step.points)).toEqual([0, 4, -3, 3, 0])
})
