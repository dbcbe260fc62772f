import { describe, expect, it } from 'vitest'
import { parseMove, payments } from './notation'

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
