import { expect, it } from 'vitest'
import type { GameHead } from '../api/schema'
import { beginning, isLast, lastChosen, remember } from './chosen'

const game = {
  name: 'a-game',
  seats: { min: 1, max: 3 },
  opponent: 'usual',
  bots: [{ name: 'usual' }, { name: 'strong' }],
  options: ['storm'],
} as GameHead

it('begins alone on a map that was never played', () => {
  const chosen = beginning(game, lastChosen('a-game', 'here'))
  expect(chosen).toMatchObject({ mode: 'alone', bot: 'usual', options: { storm: false } })
  const party = { ...game, seats: { min: 2, max: 3 } }
  expect(beginning(party, null).mode).toBe('bots')
})

it('begins with what was chosen last, as far as there still is such a thing', () => {
  const last = beginning(game, null, 'bots')
  remember('a-game', 'here', {
    ...last,
    bot: 'gone',
    others: 3,
    options: { storm: true, sun: true },
  })
  expect(beginning(game, lastChosen('a-game', 'here'))).toEqual({
    ...last,
    others: 2,
    options: { storm: true },
  })
  expect([isLast('a-game', 'here'), isLast('a-game', 'there')]).toEqual([true, false])
})
