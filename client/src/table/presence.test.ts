import { expect, it } from 'vitest'
import type { SeatHead } from '../api/schema'
import { inCompany, presenceOf } from './presence'
import { stillSeat } from './stillTable'

const seat = (more: Partial<SeatHead>): SeatHead => ({ ...stillSeat(0, 'Ada', false), ...more })

it('tells who is here, who is silent, who is not connected, and nothing of bots', () => {
  expect(presenceOf(seat({}), 100)).toBe('here')
  expect(presenceOf(seat({ away_at: 101 }), 100)).toBe('here')
  expect(presenceOf(seat({ away_at: 100 }), 100)).toBe('away')
  expect(presenceOf(seat({ online: false, away_at: 100 }), 100)).toBe('offline')
  expect(presenceOf(seat({ online: false, mine: true }), 100)).toBe('here')
  expect(presenceOf(seat({ kind: 'bot', bot: 'driver' }), 100)).toBe('none')
})

it('nobody is missed by who plays alone, with bots, or with all at one screen', () => {
  const bot = seat({ kind: 'bot', bot: 'driver' })
  expect(inCompany([seat({ mine: true }), bot])).toBe(false)
  expect(inCompany([seat({ mine: true }), seat({ mine: true, seat: 1 })])).toBe(false)
  expect(inCompany([seat({ mine: true }), seat({ seat: 1 })])).toBe(true)
})
