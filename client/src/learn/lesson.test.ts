import { expect, it } from 'vitest'
import {
  beginning,
  type Lesson,
  type Situation,
  onward,
  type Place,
  saying,
  settle,
} from './lesson'

interface View {
  card: string
  crossed: boolean
}

const lesson: Lesson<View> = {
  texts: 'web.test',
  seed: 1,
  seats: [],
  steps: [
    { name: 'welcome' },
    { name: 'draw', waits: true },
    { name: 'drawn', when: ({ view }) => view.card === 'circle' },
    { name: 'passed', when: ({ view }) => view.card !== 'circle' },
  ],
  remarks: [
    { name: 'river', when: ({ view }) => view.crossed },
    { name: 'joker', when: ({ view }) => view.card === 'joker' },
  ],
  end: [{ name: 'count' }],
}
const all = lesson as Lesson
const at = (moves: number, card = 'circle', crossed = false, finished = false): Situation => ({
  view: { card, crossed },
  seat: 0,
  legal: [],
  moves,
  finished,
})
const said = (place: Place) => saying(all, place)?.name ?? null

it('a step is read, one that waits is done, and one that does not fit is left out', () => {
  let place = settle(all, beginning, at(0))
  expect(said(place)).toBe('welcome')
  place = onward(all, place, at(0))
  expect(said(place)).toBe('draw')
  expect(said(settle(all, place, at(0)))).toBe('draw')
  expect(said(settle(all, place, at(1)))).toBe('drawn')
  expect(said(settle(all, place, at(1, 'square')))).toBe('passed')
})

it('what is said stays while the table changes', () => {
  const place = settle(all, { ...beginning, index: 1 }, at(1))
  expect(said(place)).toBe('drawn')
  expect(said(settle(all, place, at(2, 'square')))).toBe('drawn')
})

it('a move that is taken back is made again', () => {
  const place = settle(all, { ...beginning, index: 1, since: 3 }, at(2))
  expect(said(place)).toBe('draw')
  expect(said(settle(all, place, at(3)))).toBe('drawn')
})

it('each remark is made once, and goes by itself with the next move', () => {
  let place = onward(all, { ...beginning, index: 3 }, at(3))
  expect(said(place)).toBe(null)
  place = settle(all, place, at(4, 'joker', true))
  expect(said(place)).toBe('river')
  expect(said(onward(all, place, at(4, 'joker', true)))).toBe('joker')
  place = settle(all, place, at(5, 'joker', true))
  expect(said(place)).toBe('joker')
  place = settle(all, place, at(6, 'joker', true))
  expect(said(place)).toBe(null)
  expect(place.said).toEqual(['river', 'joker'])
  expect(settle(all, { ...place, said: [], index: -1 }, at(6, 'joker')).said).toEqual(['joker'])
})

it('the end is explained wherever one was, and then the lesson is over', () => {
  const place = settle(all, { ...beginning, index: 1 }, at(9, 'circle', false, true))
  expect(said(place)).toBe('count')
  expect(onward(all, place, at(9, 'circle', false, true)).part).toBe('over')
})
