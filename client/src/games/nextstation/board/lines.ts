/** The lines on a sheet as they are drawn: whose tracks lie where, where a train runs. */

import type { City } from './city'
import { pair } from '../turn/notation'
import type { LineView, Point } from '../types'

/** A line as it is drawn; sections by their index in the city. */
export interface Line {
  colour: string
  sections: number[]
  circled: string[]
}

export const LOOP = -1 // the owner of the track of the loop

/** The owners of the tracks of a section, from left to right. */
export type Side = number[]

/** The lines of a sheet as the view tells them. */
export function linesOf(city: City, lines: readonly LineView[]): Line[] {
  return lines.map(({ colour, sections, circled }) => ({
    colour,
    sections: sections.map((section) => city.index(...pair(section))!),
    circled,
  }))
}

/** The lines with sections drawn in addition on that of a round. */
export const withFresh = (lines: Line[], round: number, fresh: ReadonlyMap<number, string>) =>
  lines.map((line, r) =>
    r + 1 === round
      ? { ...line, sections: [...new Set([...line.sections, ...fresh.keys()])] }
      : line,
  )

/** The stations at which tracks are drawn. */
export function stationsOf(city: City, line: { sections: number[] }): Set<string> {
  return new Set(line.sections.flatMap((i) => [city.section(i).a, city.section(i).b]))
}

/** Whose tracks lie on each section, from left to right seen from its station a to b. */
export function owners(city: City, lines: readonly Line[]): Map<number, Side> {
  const sides = new Map<number, Side>(city.loop.map((i) => [i, [LOOP]]))
  lines.forEach((line, owner) => {
    for (const i of line.sections) sides.set(i, [...(sides.get(i) ?? []), owner])
  })
  return sideBySide(city, sides)
}

/** For every section with two tracks, which lies left: the side that its line goes on to. */
function sideBySide(city: City, sides: Map<number, Side>): Map<number, Side> {
  const arranged = new Map(sides)
  let doubled = [...sides].flatMap(([i, side]) => (side.length > 1 ? [i] : []))
  while (doubled.length) {
    const chain = follow(city, sides, doubled)
    const pulled = [...chain.keys()].reduce((sum, i) => sum + pull(city, sides, chain, i), 0)
    for (const [i, side] of chain) arranged.set(i, pulled < 0 ? side.toReversed() : side)
    doubled = doubled.filter((i) => !chain.has(i))
  }
  return arranged
}

/** The sections that the first two tracks share without parting, and their sides there. */
function follow(city: City, sides: Map<number, Side>, doubled: number[]): Map<number, Side> {
  const first = doubled[0]!
  const chain = new Map([[first, sides.get(first)!]])
  const waiting = [first]
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    for (const t of doubled) {
      const [s, r] = [city.section(i), city.section(t)]
      const meet = [s.a, s.b].some((name) => name === r.a || name === r.b)
      if (chain.has(t) || !meet || !sameSide(sides.get(t)!, sides.get(i)!)) continue
      // Left stays left where one section goes on as the other; two that both start (or both
      // end) at the station look at it from opposite sides.
      const facing = s.a === r.a || s.b === r.b
      chain.set(t, facing ? chain.get(i)!.toReversed() : chain.get(i)!)
      waiting.push(t)
    }
  }
  return chain
}

const sameSide = (a: Side, b: Side): boolean =>
  a.length === b.length && a.every((owner) => b.includes(owner))

/** How far the tracks of a section already lie on the sides where their lines leave it. */
function pull(city: City, sides: Map<number, Side>, chain: Map<number, Side>, i: number): number {
  const s = city.section(i)
  const side = chain.get(i)!
  const legs: [string, Point, Point][] = [
    [s.a, s.path[0]!, s.path[1]!],
    [s.b, s.path.at(-2)!, s.path.at(-1)!],
  ]
  let sum = 0
  for (const [name, p, q] of legs) {
    const here = city.station.get(name)!
    for (const [t, beside] of sides) {
      const r = city.section(t)
      if (chain.has(t) || (name !== r.a && name !== r.b)) continue
      const ahead = name === r.a ? r.path[1]! : r.path.at(-2)!
      const across = (q[0] - p[0]) * (ahead[1] - here.y) - (q[1] - p[1]) * (ahead[0] - here.x)
      for (const owner of beside)
        if (side.includes(owner)) sum += (owner === side[0] ? -1 : 1) * Math.sign(across)
    }
  }
  return sum
}

/** The longest way along a line, as pairs of stations: where a train would run. */
export function longestRun(city: City, line: Line): [string, string][] {
  const next = new Map<string, string[]>()
  for (const i of line.sections) {
    const { a, b } = city.section(i)
    next.set(a, [...(next.get(a) ?? []), b])
    next.set(b, [...(next.get(b) ?? []), a])
  }
  const farthest = (from: string): string[] => {
    let best = [from]
    const walk = (way: string[]): void => {
      if (way.length > best.length) best = way
      for (const name of next.get(way.at(-1)!) ?? []) if (!way.includes(name)) walk([...way, name])
    }
    walk([from])
    return best
  }
  const start = next.keys().next().value
  if (start === undefined) return []
  // A line is a tree: the longest way starts at the station farthest from any other.
  const run = farthest(farthest(start).at(-1)!)
  return run.slice(1).map((name, i) => [run[i]!, name])
}
