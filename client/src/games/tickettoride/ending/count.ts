/** The counting at the end: ticket after ticket, then the districts, then the totals. */

import type { View } from '../types'

export interface Step {
  kind: 'routes' | 'ticket' | 'districts' | 'total'
  /** Whose points are counted; -1 for all at once. */
  seat: number
  ticket: string
  districts: number[]
  /** What this step adds. */
  points: number
  /** Where everybody stands after it. */
  totals: number[]
}

export function countSteps(scores: View['scores']): Step[] {
  const totals = scores.map((score) => score.routes)
  const steps: Step[] = []
  const count = (kind: Step['kind'], seat: number, points: number, more: Partial<Step> = {}) => {
    if (seat >= 0) totals[seat]! += points
    steps.push({ kind, seat, points, totals: [...totals], ticket: '', districts: [], ...more })
  }
  count('routes', -1, 0)
  scores.forEach((score, seat) => {
    for (const { name, worth } of score.each_ticket) count('ticket', seat, worth, { ticket: name })
  })
  scores.forEach(({ districts: points, each_district: districts }, seat) => {
    if (districts.length) count('districts', seat, points, { districts })
  })
  count('total', -1, 0, { totals: scores.map((score) => score.total) })
  return steps
}
