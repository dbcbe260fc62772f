import { expect, test, vi } from 'vitest'
import type { DailyDeal } from '../api/schema'
import { dayName, left, shared, symbols } from './share'

vi.mock('../shell/texts.svelte', () => ({
  say: (key: string, values: Record<string, unknown> = {}) =>
    `${key.split('.').at(-1)} ${Object.values(values).join(' ')}`,
  figure: (value: number) => `${value}.`,
}))
const deal: DailyDeal = {
  game: 'next-station',
  map: 'london',
  title: { en: 'London' },
  note: {},
  opponents: [],
  state: 'done',
  table: 'a-table',
  total: 142,
  results: 11,
  better: 80,
  spread: [],
  bots: [],
  bots_missing: false,
  review: null,
}

test('a result in one line and ten symbols', () => {
  expect(shared(deal, 'London', '16 Nov', 3)).toBe(
    'Headway · London · 16 Nov · 142. · better 80 · in_a_row 3\n▰▰▰▰▰▰▰▰▱▱',
  )
})

test('the first of the day is compared to nobody, and one day is no streak', () => {
  const text = shared({ ...deal, better: null }, 'London', '16 Nov', 1)
  expect(text).toBe('Headway · London · 16 Nov · 142.\n▰▰▰▰▰▰▰▰▰▰')
  expect(text).not.toContain('a-table')
})

test('a few results are no statistics', () => {
  const text = shared({ ...deal, results: 4 }, 'London', '16 Nov', 1)
  expect(text).toBe('Headway · London · 16 Nov · 142.')
})

test('always ten symbols', () => {
  for (let better = 0; better <= 100; better++) expect([...symbols(better)]).toHaveLength(10)
})

test('days by their UTC date, in every zone', () => {
  expect(dayName('2026-11-16', 'en-GB')).toBe('16 Nov')
  expect(dayName('2026-11-16', 'fr')).toBe('16 nov.')
})

test('time left never runs below nothing', () => {
  expect(left(3 * 3600 + 59)).toEqual({ hours: 3, minutes: 0 })
  expect(left(-5)).toEqual({ hours: 0, minutes: 0 })
})
