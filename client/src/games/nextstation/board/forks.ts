/** Ways to choose from: several that lead to the same station, each with a number on it. */

import type { Point } from '../types'
import type { City } from './city'
import { along } from './geometry'

export interface Fork {
  from: string
  to: string
  number: number
  /** Where its number stands. */
  at: Point
}

/** How far along a way its number stands: ways that cross do so in their middle. */
const NUMBERED = 0.42

/** The ways to each station that several lead to, numbered. */
export function forksOf(city: City, ways: readonly { from: string; to: string }[]): Fork[] {
  const count = new Map<string, number>()
  const numbered = ways.map((way) => {
    const number = (count.get(way.to) ?? 0) + 1
    count.set(way.to, number)
    return { ...way, number }
  })
  return numbered
    .filter((way) => count.get(way.to)! > 1)
    .map((way) => {
      const i = city.index(way.from, way.to)
      const points =
        i === undefined ? [city.place(way.from), city.place(way.to)] : city.points(i, way.from)
      return { ...way, at: along(points, NUMBERED) }
    })
}
