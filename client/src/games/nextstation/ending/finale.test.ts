import { expect, it } from 'vitest'
import type { City } from '../board/city'
import type { ScoreSheet } from '../types'
import { tallies } from './finale.svelte'

const stations = ['a1', 'b2', 'c3'].map((name) => ({ name, tourist: name !== 'c3' }))
const city = { data: { stations } } as unknown as City

it('counts the sites that lines reach, then the interchanges, one by one', () => {
  const score = { tourist: 1, interchanges: 2, lines_at: { c3: 2 } } as unknown as ScoreSheet
  const steps = tallies(city, score, new Set(['a1', 'c3']))
  const told = new Set(steps.map(({ part, popped }) => `${part} ${popped.join()}`))
  expect([...told]).toEqual(['tourist a1', 'interchanges c3'])
})

it('counts nothing where there is nothing', () => {
  const score = { tourist: 0, interchanges: 0, lines_at: {} } as unknown as ScoreSheet
  expect(tallies(city, score, new Set())).toEqual([])
})
