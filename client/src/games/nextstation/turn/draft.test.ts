import { expect, test } from 'vitest'
import { Choice, type Draft, type Extra, fresh } from './draft'

const BARE = ['pass', 'd2a2', 'd2d5', 'h3d5']
const power = (name: string): Extra => ({ kind: 'power', name })
const effect = (name: string): Extra => ({ kind: 'effect', name })
const why = (from: string | null) => `${from ?? 'd2'}z9`

/** Taps stations one after the other and returns the draft. */
function tapped(choice: Choice, draft: Draft, ...stations: string[]): Draft {
  for (const station of stations) {
    const tap = choice.tap(draft, station, why)
    if (!('draft' in tap)) throw new Error(`${station}: ${tap.kind}`)
    draft = tap.draft
  }
  return draft
}

test('a target with one way to it is drawn at once', () => {
  const choice = new Choice(BARE, null)
  expect(choice.text(tapped(choice, fresh(null), 'a2'))).toBe('d2a2')
})

test('a target with two ways asks where to start', () => {
  const choice = new Choice(BARE, null)
  const tap = choice.tap(fresh(null), 'd5', why)
  const draft = { ...fresh(null), target: 'd5' }
  expect(tap).toEqual({ kind: 'choose', sources: ['d2', 'h3'], draft })
  expect(choice.open(draft).map((track) => track.from)).toEqual(['d2', 'h3'])
  expect(choice.text(tapped(choice, draft, 'h3'))).toBe('h3d5')
  expect(choice.text(tapped(choice, draft, 'a2'))).toBe('d2a2')
})

test('an end tapped first says where to start; tapped again, it is laid down', () => {
  const choice = new Choice(BARE, null)
  const draft = tapped(choice, fresh(null), 'h3')
  expect(draft.from).toBe('h3')
  expect(choice.text(tapped(choice, draft, 'd5'))).toBe('h3d5')
  expect(tapped(choice, draft, 'h3').from).toBeNull()
})

test('another target replaces the drafted one, the same one confirms', () => {
  const choice = new Choice(BARE, null)
  const draft = tapped(choice, fresh(null), 'a2')
  expect(choice.tap(draft, 'a2', why)).toEqual({ kind: 'confirm' })
  expect(choice.text(tapped(choice, draft, 'h3', 'd5'))).toBe('h3d5')
})

test('what cannot be reached is asked about', () => {
  const choice = new Choice(BARE, null)
  expect(choice.tap(fresh(null), 'j9', why)).toEqual({ kind: 'why', move: 'd2z9' })
  const from = tapped(choice, fresh(null), 'h3')
  expect(choice.tap(from, 'j9', why)).toEqual({ kind: 'why', move: 'h3z9' })
})

test('passing', () => {
  const choice = new Choice(['pass'], null)
  expect(choice.stuck).toBe(true)
  expect(new Choice(BARE, null).stuck).toBe(false)
  expect(choice.text(fresh(null))).toBeNull()
  expect(choice.text({ ...fresh(null), pass: true })).toBe('pass')
})

test('a power is used only when it is taken up', () => {
  const choice = new Choice([...BARE, '!joker d2a2', '!joker d2c3'], power('joker'))
  const draft = fresh(choice.extra)
  expect(choice.tracks(draft).map((track) => track.to)).toEqual(['a2', 'd5', 'd5'])
  const armed = choice.arm(draft, true)
  expect(choice.tracks(armed).map((track) => track.to)).toEqual(['a2', 'c3'])
  expect(choice.text(tapped(choice, armed, 'c3'))).toBe('!joker d2c3')
})

test('laying a power down keeps the section if it does without', () => {
  const choice = new Choice([...BARE, '!joker d2a2', '!joker d2c3'], power('joker'))
  const armed = choice.arm(fresh(choice.extra), true)
  const needless = tapped(choice, armed, 'a2')
  expect(choice.text(choice.arm(needless, false))).toBe('d2a2')
  const needed = tapped(choice, armed, 'c3')
  expect(choice.text(choice.arm(needed, false))).toBeNull()
})

test('an effect helps only where it is needed', () => {
  const choice = new Choice([...BARE, '~ d2a2', '~ d2c3'], effect('joker'))
  const draft = fresh(choice.extra)
  expect(choice.text(tapped(choice, draft, 'a2'))).toBe('d2a2')
  expect(choice.text(tapped(choice, draft, 'c3'))).toBe('~ d2c3')
})

test('a second section', () => {
  const legal = [...BARE, 'd2a2 +a2c4', 'd2a2 +h3c4', 'd2d5 +d5c4']
  const choice = new Choice(legal, power('second'))
  const armed = choice.arm(fresh(choice.extra), true)
  const first = tapped(choice, armed, 'a2')
  expect(choice.text(first)).toBe('d2a2')
  expect(choice.whole(first)).toBe(false)
  expect(choice.tracks(first).map((track) => track.from + track.to)).toEqual(['a2c4', 'h3c4'])
  const both = tapped(choice, first, 'h3', 'c4')
  expect(choice.text(both)).toBe('d2a2 +h3c4')
  expect(choice.whole(both)).toBe(true)
})

test('an extension follows the section that was drawn', () => {
  const choice = new Choice([...BARE, 'd2a2 +a2a0'], effect('extension'))
  const first = tapped(choice, fresh(choice.extra), 'a2')
  expect(choice.text(tapped(choice, first, 'a0'))).toBe('d2a2 +a2a0')
})

test('the power double circles a station of the line, in a passed turn too', () => {
  const legal = [...BARE, 'pass *d2', 'pass *h3', 'd2a2 *d2', 'd2a2 *a2', 'd2a2 *h3']
  const choice = new Choice(legal, power('double'))
  const armed = choice.arm(fresh(choice.extra), true)
  expect(choice.text(tapped(choice, armed, 'd2'))).toBe('pass *d2')
  const drawn = tapped(choice, armed, 'a2')
  expect(choice.circles(drawn)).toEqual(['d2', 'a2', 'h3'])
  expect(choice.text(tapped(choice, drawn, 'a2'))).toBe('d2a2 *a2')
})

test('the effect double circles the station just reached', () => {
  const choice = new Choice([...BARE, 'd2a2 *a2'], effect('double'))
  const draft = tapped(choice, fresh(choice.extra), 'a2')
  expect(choice.text(draft)).toBe('d2a2 *a2')
  expect(choice.text(choice.arm(draft, false))).toBe('d2a2')
})

test('a second track is written as one', () => {
  const choice = new Choice(['pass', '=d2a2'], null)
  expect(choice.text(tapped(choice, fresh(null), 'a2'))).toBe('=d2a2')
})
