import { expect, it } from 'vitest'
import { topicOf } from './topic'

it('opens the rules at what is to be done', () => {
  const turn = { phase: 'turn', taken: 0, finished: false }
  expect(topicOf({ ...turn, phase: 'opening' }, null)).toBe('before-the-first-turn')
  expect(topicOf(turn, null)).toBe('your-turn-one-of-three-things')
  expect(topicOf(turn, 'a-b')).toBe('take-a-route')
  expect(topicOf({ ...turn, taken: 1 }, null)).toBe('take-cards')
  expect(topicOf({ ...turn, phase: 'keep' }, null)).toBe('take-tickets')
  expect(topicOf({ ...turn, finished: true }, null)).toBe('the-end')
})
