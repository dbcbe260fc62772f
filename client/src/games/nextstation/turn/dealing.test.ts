import { expect, test } from 'vitest'
import { narrow } from './dealing'

const RING = ['a b c d', 'b c d a', 'a c b d']

test('pencils are asked for round by round, and only as long as they are not clear', () => {
  const deals = RING.map((row) => `pencils ${row}`)
  expect(narrow(deals, []).next).toMatchObject({
    kind: 'pencils',
    seat: 0,
    round: 1,
    answers: ['a', 'b'],
  })
  expect(narrow(deals, ['b'])).toEqual({ left: ['pencils b c d a'], next: null })
  expect(narrow(deals, ['a']).next).toMatchObject({ round: 2, answers: ['b', 'c'] })
  const two = ['pencils a b / c d', 'pencils a d / c b', 'pencils c b / a d']
  expect(narrow(two, ['a']).next).toMatchObject({ seat: 0, round: 2, answers: ['b', 'd'] })
})

test('objectives come in any order', () => {
  const deals = ['objectives x y', 'objectives x z', 'objectives y z']
  expect(narrow(deals, []).next?.answers).toEqual(['x', 'y', 'z'])
  expect(narrow(deals, ['z']).next?.answers).toEqual(['x', 'y'])
  expect(narrow(deals, ['z', 'x'])).toEqual({ left: ['objectives x z'], next: null })
})

test('powers, special stations and cards', () => {
  const powers = ['powers red:one blue:two', 'powers red:two blue:one']
  expect(narrow(powers, []).next).toMatchObject({ colour: 'red', answers: ['red:one', 'red:two'] })
  const special = ['special circle joker', 'special circle double', 'special square joker']
  expect(narrow(special, []).next?.kind).toBe('symbol')
  expect(narrow(special, ['circle']).next).toMatchObject({
    kind: 'effect',
    answers: ['joker', 'double'],
  })
  expect(narrow(['card street:circle'], []).next).toBeNull()
  expect(narrow([], []).next).toBeNull()
})
