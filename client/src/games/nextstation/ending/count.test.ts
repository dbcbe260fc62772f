import { expect, test } from 'vitest'
import { countLine } from './count'
import type { LineScore } from '../types'

const line: LineScore = {
  colour: 'pink',
  districts: 2,
  fullest: 3,
  over_river: 1,
  points: 8,
  visited: [4, 7],
  fullest_district: 7,
  fullest_stations: ['a2', 'b2'],
  river_sections: [12],
  new_stamps: [],
}

test('districts light up one by one, then the stations of the fullest one, then the river', () => {
  const steps = countLine(line)
  const lit = Array.from({ length: 5 }, () => [4, 7])
  expect(steps.map((step) => step.districts)).toEqual([[], [4], ...lit])
  expect(steps.map((step) => step.stations.length)).toEqual([0, 0, 0, 1, 2, 2, 2])
  expect(steps.map((step) => step.fullest)).toEqual([null, null, null, 7, 7, 7, 7])
  expect(steps.map((step) => step.crossings.length)).toEqual([0, 0, 0, 0, 0, 1, 1])
  expect(steps.map((step) => step.sum).indexOf(true)).toBe(6)
})

test('an empty line has only its sum', () => {
  const empty = { visited: [], fullest_district: -1, fullest_stations: [], river_sections: [] }
  const steps = countLine({ ...line, ...empty })
  expect(steps.map((step) => [step.fullest, step.sum])).toEqual([
    [null, false],
    [null, true],
  ])
})
