import { describe, expect, it } from 'vitest'
import { nearestClaim, parseMove, payments } from './notation'

describe('moves', () => {
  it('are read from their notation', () => {
    expect(parseMove('take pile')).toEqual({ kind: 'take', card: 'pile' })
    expect(parseMove('claim a-b#1 blue 1')).toEqual({
      kind: 'claim',
      route: 'a-b#1',
      card: 'blue',
      buses: 1,
    })
    expect(parseMove('keep ? ?')).toEqual({ kind: 'keep', count: 2 })
    expect(parseMove('pass')).toEqual({ kind: 'pass' })
    expect(parseMove('display blue')).toBeNull()
  })

  it('give the ways to pay for a route, fewest buses first', () => {
    const ways = payments([
      'take pile',
      'claim a-b bus 2',
      'claim a-b blue 0',
      'claim a-b blue 1',
      'claim c-d pink 0',
    ])
    expect([...ways.keys()]).toEqual(['a-b', 'c-d'])
    expect(ways.get('a-b')!.map((way) => way.buses)).toEqual([0, 1, 2])
  })
})

describe('the claim to ask about', () => {
  const route = { name: 'a-b', colour: 'grey', spaces: [1, 2, 3] }
  const kinds = ['bus', 'blue', 'pink']

  it('pays with what the hand has most of, and buses for the rest', () => {
    expect(nearestClaim(route, { pink: 2, blue: 1, bus: 4 }, kinds)).toBe('claim a-b pink 1')
    expect(nearestClaim(route, { pink: 1 }, kinds)).toBe('claim a-b pink 0')
    expect(nearestClaim(route, { bus: 3 }, kinds)).toBe('claim a-b bus 3')
    expect(nearestClaim({ ...route, colour: 'blue' }, { pink: 3 }, kinds)).toBe('claim a-b blue 0')
  })
})
