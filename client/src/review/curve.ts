/** The curve of the expected result in the units of its picture. */

import type { SeatReview, Turn } from '../api/schema'
import { afterMove, withCard } from './figures'

const TOP = 14
const FOOT = 42
const SMALL_FOOT = 34
const RIGHT = 8 // room for the handle at the end
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200]
const CARD = 0.3 // where in the width of a turn its card comes, and where its move
const MOVE = 0.8
const MARK = 24 // from one number of a turning point to the next
/** Ways to move such a number, the shortest first. */
const AWAY = [-4, -3, -2, -1, 0, 1, 2, 3, 4]
  .flatMap((across) => [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6].map((down) => [across, down]))
  .map(([across, down]) => [(across! * MARK) / 4, (down! * MARK) / 4] as const)
  .toSorted((a, b) => Math.hypot(...a) - Math.hypot(...b))

type Kind = 'good' | 'bad' | 'lost' | 'others' | 'recount'

interface Spot {
  x: number
  y: number
}

export interface Curve {
  left: number
  /** The lines of the grid, with their values in whole points or percent. */
  grid: { value: number; y: number }[]
  rounds: { round: number; x: number; wide: number }[]
  /** What cards, moves and corrected estimates changed, as upright strokes. */
  rises: { kind: Kind; d: string }[]
  /** The expected result after each turn, as one line. */
  outline: string
  /** The place of a turn's move, and of the end of the game. */
  x: (index: number) => number
  /** Where a turning point is on the line. */
  point: (index: number) => Spot
  /** Where its number stands: there, or as near as there is room beside the others. */
  marks: ReadonlyMap<number, Spot>
  /** The turn at a place of the picture; their number at its right edge. */
  at: (x: number) => number
}

/** The whole numbers between two values that a grid shows, few enough to be read. */
export function gridValues(low: number, high: number, most: number): number[] {
  const step = STEPS.find((size) => (high - low) / size <= most) ?? 500
  const first = Math.ceil(low / step) * step
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, k) => first + k * step)
}

export function curveOf(
  turns: readonly Turn[],
  length: number,
  width: number,
  height: number,
  measure: SeatReview['measure'],
  small: boolean,
  turning: Iterable<number>,
): Curve {
  const values = turns.flatMap((turn) => {
    const after = afterMove(turn)
    return [turn.expected, withCard(turn), after, after + turn.recount]
  })
  const least = Math.min(...values) / 1000
  const most = Math.max(...values, least * 1000 + 4000) / 1000
  const left = small ? RIGHT : measure === 'victory' ? 44 : 36
  const step = (width - left - RIGHT) / Math.max(length, 1)
  const foot = height - (small ? SMALL_FOOT : FOOT)
  const y = (value: number) => round1(TOP + ((most - value / 1000) / (most - least)) * (foot - TOP))
  const x = (index: number, part: number) => round1(left + (index + part) * step)
  const rises: Curve['rises'] = []
  const rise = (kind: Kind, at: number, from: number, to: number) => {
    if (y(from) !== y(to)) rises.push({ kind, d: `M${at} ${y(from)}V${y(to)}` })
  }
  const points: string[] = []
  turns.forEach((turn, i) => {
    const [known, after] = [withCard(turn), afterMove(turn)]
    const [card, move, end] = [x(i, CARD), x(i, MOVE), x(i, 1)]
    if (turn.luck) rise(turn.luck > 0 ? 'good' : 'bad', card, turn.expected, known)
    rise(turn.loss > 0 ? 'lost' : 'others', move, known, after)
    rise('recount', end, after, after + turn.recount)
    if (!i) points.push(`${x(0, 0)} ${y(turn.expected)}`)
    points.push(`${move} ${y(after)}`)
    if (i === turns.length - 1) points.push(`${end} ${y(after + turn.recount)}`)
  })
  const point = (index: number): Spot => ({ x: x(index, MOVE), y: y(afterMove(turns[index]!)) })
  const numbered = [...turning].toSorted((a, b) => a - b)
  const box = { left: MARK / 2, right: width - MARK / 2, top: MARK / 2, bottom: foot + MARK / 4 }
  const spots = spotsApart(numbered.map(point), box)
  return {
    left,
    grid: gridValues(least, most, 5).map((value) => ({ value, y: y(value * 1000) })),
    rounds: roundsOf(turns).map(({ round, from, to }) => ({
      round,
      x: x(from, 0),
      wide: round1((to - from) * step),
    })),
    rises,
    outline: `M${points.join('L')}`,
    x: (index) => (index < turns.length ? x(index, MOVE) : x(Math.max(length, index), 0)),
    point,
    marks: new Map(numbered.map((index, k) => [index, spots[k]!])),
    at: (place) => (place > width - RIGHT ? turns.length : Math.floor((place - left) / step)),
  }
}

/** Moves spots apart, each as little as it can be, within a box. */
export function spotsApart(
  spots: readonly Spot[],
  box: { left: number; right: number; top: number; bottom: number },
): Spot[] {
  const placed: Spot[] = []
  for (const spot of spots) {
    const free = AWAY.map(([dx, dy]) => ({ x: spot.x + dx, y: spot.y + dy })).find(
      ({ x, y }) =>
        x >= box.left &&
        x <= box.right &&
        y >= box.top &&
        y <= box.bottom &&
        placed.every((other) => Math.hypot(other.x - x, other.y - y) >= MARK),
    )
    placed.push(free ?? spot)
  }
  return placed
}

/** The rounds of a game: from which turn to which. */
function roundsOf(turns: readonly Turn[]): { round: number; from: number; to: number }[] {
  const rounds: { round: number; from: number; to: number }[] = []
  turns.forEach(({ round }, i) => {
    if (round == null) return
    const last = rounds.at(-1)
    if (last?.round === round) last.to = i + 1
    else rounds.push({ round, from: i, to: i + 1 })
  })
  return rounds
}

const round1 = (value: number): number => Math.round(value * 10) / 10
