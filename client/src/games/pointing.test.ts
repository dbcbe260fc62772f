import { expect, it } from 'vitest'
import { ARROWS, nextPlace } from './pointing.svelte'

const PLACES: Record<string, [number, number]> = { a: [0, 0], b: [2, 0], c: [1, 3], d: [5, 0] }
const go = (from: string, key: string) =>
  nextPlace(from, ARROWS[key]!, Object.keys(PLACES), (name) => PLACES[name]!)

it('goes to the nearest place in a direction, and at the edge to the other side', () => {
  expect(go('a', 'ArrowRight')).toBe('b')
  expect(go('b', 'ArrowRight')).toBe('d')
  expect(go('d', 'ArrowRight')).toBe('a')
  expect(go('a', 'ArrowDown')).toBe('c')
})
