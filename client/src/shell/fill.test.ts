import { expect, test } from 'vitest'
import { fill, inOneOf, withSign, written } from './fill'

const TEXTS = {
  hello: 'Hello {name}, {left}',
  'days.one': '{n} day left',
  'days.other': '{n} days left',
  pay: 'Pay {card:card} or {other:card}',
  'card.blue': 'a blue card',
  trip: '{stops:stops} in {hours} h',
  'count.stops.one': '{n} stop',
  'count.stops.few': '{n} stops, few',
  'count.stops.other': '{n} stops',
}

test('names are filled in, and shown where nobody gives a value', () => {
  expect(fill(TEXTS, 'en', 'hello', { name: 'Ada' })).toBe('Hello Ada, {left}')
  expect(fill(TEXTS, 'en', 'nothing', {})).toBe('nothing')
})

test.each([
  ['en', 0, '0 days left'],
  ['en', 1, '1 day left'],
  ['en', 1.5, '1.5 days left'],
  ['en', -1, '−1 day left'],
  ['fr', 0, '0 day left'],
  ['fr', 1.5, '1,5 day left'],
  ['en', 1500, '1500 days left'],
  ['fr', 2, '2 days left'],
  ['en-XA', 1, '1 day left'],
  ['tlh', 1, '1 day left'],
])('%s %d: %s', (lang, n, text) => expect(fill(TEXTS, lang, 'days', { n })).toBe(text))

test('a text inside a text takes its own plural form', () => {
  expect(fill(TEXTS, 'en', 'trip', { stops: 1, hours: 2 })).toBe('1 stop in 2 h')
  expect(fill(TEXTS, 'pl', 'trip', { stops: 3, hours: 2 })).toBe('3 stops, few in 2 h')
  expect(fill(TEXTS, 'pl', 'trip', { stops: 5, hours: 2 })).toBe('5 stops in 2 h')
})

test('an id is said by its text, if it has one', () => {
  expect(fill(TEXTS, 'en', 'pay', { card: 'blue', other: 'mauve' })).toBe(
    'Pay a blue card or mauve',
  )
})

test('a text is shown in the language, else in English, else in any', () => {
  expect(inOneOf({ en: 'west', fr: 'ouest' }, 'fr')).toBe('ouest')
  expect(inOneOf({ fr: 'ouest', en: 'west' }, 'de')).toBe('west')
  expect(inOneOf({ fr: 'ouest' }, 'de')).toBe('ouest')
  expect(inOneOf({}, 'de')).toBe('')
})

test('points have one kind of sign', () => {
  expect([4, -3, 0].map((points) => withSign(points, 'en'))).toEqual(['+4', '−3', '0'])
  expect(written(-12, 'fr')).toBe('−12')
})
