/**
 * Where names stand on a board: where its file puts them, or beside their places where that would
 * cover another name or a place.
 */

import type { Point } from '../types'

export interface Name {
  x: number
  /** The baseline of the first line. */
  y: number
  anchor: string
  lines: readonly string[]
}
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
/** What names stand among, in pixels of the screen. */
export interface Surroundings {
  places: readonly Point[]
  /** The radius of a place and the size of a name. */
  disc: number
  size: number
  /** What no name should leave. */
  frame: Box
  /** Signs of districts. */
  signs: readonly Box[]
  /** Middles of all spaces. */
  spaces: readonly Point[]
}

export const LETTER = 0.57 // how wide a letter is, in sizes
const LINE = 1.04 // from one line to the next, in sizes
const ASCENT = 0.78
const DESCENT = 0.2
const ANCHORED: Record<string, number> = { start: 0, middle: 0.5, end: 1 }
const ROUNDS = 8
// What it costs to cover something: once, and for each square pixel of it.
const COVERED = { name: [90, 3], place: [90, 5], frame: [60, 6], sign: [14, 0.4], space: [2.5, 0] }
const MOVED = 9 // what it costs not to stand where the file says, and more with each worse side
const WORSE = 2

/** How wide a name is. */
export const widthOf = (lines: readonly string[], size: number) =>
  Math.max(...lines.map((line) => line.length)) * size * LETTER

/** The sign of a district is as wide as its words and a dot for each place. */
export const signWidth = (points: number, places: number, size: number) =>
  size * (2 + 0.62 * `${points}`.length + 0.72 * places)

export function boxOf({ x, y, anchor, lines }: Name, size: number): Box {
  const wide = widthOf(lines, size)
  const left = x - wide * ANCHORED[anchor]!
  const bottom = y + (lines.length - 1) * LINE * size + DESCENT * size
  return { left, top: y - ASCENT * size, right: left + wide, bottom }
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return wide > 0 && high > 0 ? wide * high : 0
}

/** How far a box reaches into a circle. */
function reach(box: Box, [x, y]: Point, radius: number): number {
  const [dx, dy] = [
    Math.max(box.left - x, 0, x - box.right),
    Math.max(box.top - y, 0, y - box.bottom),
  ]
  return Math.max(0, radius - Math.hypot(dx, dy))
}

const price = (cover: keyof typeof COVERED, size: number) =>
  size > 0 ? COVERED[cover][0]! + COVERED[cover][1]! * size : 0

/** A name in one line, and broken at each of its spaces. */
function broken(lines: readonly string[]): (readonly string[])[] {
  const words = lines.join(' ').split(' ')
  const ways = words.slice(1).map((_, i) => [words.slice(0, i + 1), words.slice(i + 1)])
  return [lines, [lines.join(' ')], ...ways.map((way) => way.map((part) => part.join(' ')))]
}

/** Where a name could stand: as the file says, then on each side of its place. */
function choices(own: Name, [x, y]: Point, { disc, size }: Surroundings): Name[] {
  const [near, slant] = [disc * 1.35 + 3, disc * 1.05 + 2]
  return [
    own,
    ...broken(own.lines).flatMap((lines) => {
      const more = (lines.length - 1) * LINE * size
      const middle = y + (ASCENT * size - more) / 2 - 0.04 * size
      const above = y - near - DESCENT * size - more
      const below = y + near + ASCENT * size
      return [
        { x: x + near, y: middle, anchor: 'start', lines },
        { x: x - near, y: middle, anchor: 'end', lines },
        { x, y: below, anchor: 'middle', lines },
        { x, y: above, anchor: 'middle', lines },
        { x: x + slant, y: y + slant + size * 0.6, anchor: 'start', lines },
        { x: x - slant, y: y + slant + size * 0.6, anchor: 'end', lines },
        { x: x + slant, y: y - slant - more, anchor: 'start', lines },
        { x: x - slant, y: y - slant - more, anchor: 'end', lines },
        { x: x - disc, y: below, anchor: 'start', lines },
        { x: x + disc, y: below, anchor: 'end', lines },
        { x: x - disc, y: above, anchor: 'start', lines },
        { x: x + disc, y: above, anchor: 'end', lines },
      ]
    }),
  ]
}

/** What a box covers that it should not, beside other names. */
function ground(box: Box, { places, disc, frame, signs, spaces }: Surroundings): number {
  const inside = Math.max(
    frame.left - box.left,
    frame.top - box.top,
    box.right - frame.right,
    box.bottom - frame.bottom,
  )
  return (
    price('frame', inside) +
    places.reduce((sum, place) => sum + price('place', reach(box, place, disc * 1.15)), 0) +
    signs.reduce((sum, sign) => sum + price('sign', overlap(box, sign)), 0) +
    spaces.reduce((sum, space) => sum + price('space', reach(box, space, disc * 0.8)), 0)
  )
}

/** A letter at a place, and the direction from there to the place in degrees. */
export interface Pin {
  x: number
  y: number
  turn: number
}
const PIN_FAR = 1.9 // from the middle of a place, in its radii
const PIN_APART = 44 // degrees between the letters of a place
const PIN_SIZE = 0.75 // half of a letter, in radii
const SIDES = [-135, -45, 180, 0, 135, 45, -90, 90] // where letters go, the best side first

/** Returns where the letters of a place stand: at its upper left, or where they cover no name. */
export function pinned(
  [x, y]: Point,
  count: number,
  names: readonly Name[],
  { disc, size }: Pick<Surroundings, 'disc' | 'size'>,
): Pin[] {
  const boxes = names.map((name) => boxOf(name, size))
  const ways = SIDES.map((side) =>
    Array.from({ length: count }, (_, k): Pin => {
      const turn = side + (k - (count - 1) / 2) * PIN_APART
      const angle = (turn * Math.PI) / 180
      const far = disc * PIN_FAR
      return { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle), turn }
    }),
  )
  const covered = (pins: Pin[]) =>
    pins.reduce((sum, pin) => {
      const at: Point = [pin.x, pin.y]
      return sum + boxes.reduce((each, box) => each + reach(box, at, disc * PIN_SIZE), 0)
    }, 0)
  return ways.reduce((best, way) => (covered(way) < covered(best) ? way : best))
}

/** Returns names that cover neither each other nor a place, as far as there is room. */
export function placed(own: readonly Name[], around: Surroundings): Name[] {
  const { size, places } = around
  const names = [...own]
  const boxes = names.map((name) => boxOf(name, size))
  const among = (box: Box, i: number) =>
    boxes.reduce((sum, other, j) => sum + (i === j ? 0 : price('name', overlap(box, other))), 0)
  const covers = (i: number) =>
    among(boxes[i]!, i) > 0 ||
    places.some((place) => reach(boxes[i]!, place, around.disc * 1.15) > 0)
  const ways = new Map<number, { name: Name; box: Box; cost: number }[]>()
  const waysOf = (i: number) => {
    const known = ways.get(i)
    if (known) return known
    const made = choices(own[i]!, places[i]!, around).map((name, k) => {
      const box = boxOf(name, size)
      return { name, box, cost: ground(box, around) + (k ? MOVED + WORSE * k : 0) }
    })
    ways.set(i, made)
    return made
  }
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false
    for (const i of names.keys()) {
      if (!covers(i)) continue
      const priced = waysOf(i).map((way) => ({ ...way, cost: way.cost + among(way.box, i) }))
      const best = priced.reduce((least, way) => (way.cost < least.cost ? way : least))
      moved ||= best.name !== names[i]
      names[i] = best.name
      boxes[i] = best.box
    }
    if (!moved) break
  }
  return names
}
