import { expect, it } from 'vitest'
import { topicOf } from './topic'

it('opens the rules at what is to be done', () => {
  const view = { card: 'street circle', finished: false, switch: false }
  const shown = { view, counting: false, armed: null, loop: false }
  const end = { ...view, card: null, finished: true }
  expect(topicOf(shown)).toBe('where-a-line-may-go')
  expect(topicOf({ ...shown, view: { ...view, switch: true } })).toBe('the-switch')
  expect(topicOf({ ...shown, view: { ...view, card: null } })).toBe('a-turn')
  expect(topicOf({ ...shown, armed: 'power' })).toBe('pencil-powers')
  expect(topicOf({ ...shown, armed: 'effect' })).toBe('special-stations')
  expect(topicOf({ ...shown, counting: true, view: end })).toBe('scoring-a-line')
  expect(topicOf({ ...shown, view: end })).toBe('london-the-end-of-the-game')
  expect(topicOf({ ...shown, view: end, loop: true })).toBe('tokyo-the-end-of-the-game')
})
