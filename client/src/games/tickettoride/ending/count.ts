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
  const plain = { ticket: '', districts: [], points: 0 }
  const steps: Step[] = [{ ...plain, kind: 'routes', seat: -1, totals: [...totals] }]
  scores.forEach((score, seat) => {
    for (const { name, worth } of score.each_ticket) {
      totals[seat]! += worth
      steps.push({
        ...plain,
        kind: 'ticket',
        seat,
        ticket: name,
        points: worth,
        totals: [...totals],
      })
    }
  })
  scores.forEach((score, seat) => {
    if (!score.each_district.length) return
    totals[seat]! += score.districts
    steps.push({
      ...plain,
      kind: 'districts',
      seat,
      districts: score.each_district,
      points: score.districts,
      totals: [...totals],
    })
  })
  steps.push({ ...plain, kind: 'total', seat: -1, totals: scores.map((score) => score.total) })
  return steps
}
