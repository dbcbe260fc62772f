import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { TableView } from '../api/schema'
import type { TableSource } from './source'
import { type Scene, type Step, Timeline } from './timeline.svelte'

const screen = vi.hoisted(() => ({ still: false }))
vi.mock('../shell/screen.svelte', () => ({ still: () => screen.still }))

/** A table at which every line of the log is told for 100 ms; seat 0 is mine. */
const tableOf = (...moves: number[]): TableView =>
  ({
    number: moves.length,
    seats: [0, 1, 2].map((seat) => ({ seat, mine: seat === 0 })),
    log: moves.map((seat, number) => ({ number, seat, text: `${seat}`, turn: number })),
    views: {},
  }) as unknown as TableView

class TestTable implements TableSource {
  readonly kind = 'live'
  table: TableView = $state.raw()!
  undone: TableView | null = null
  constructor(table: TableView) {
    this.table = table
  }
  async move(seat: number): Promise<void> {
    await Promise.resolve()
    this.table = tableOf(...this.table.log.map((line) => line.seat), seat)
  }
  async undo(): Promise<void> {
    await Promise.resolve()
    this.table = tableOf(...this.table.log.slice(0, -1).map((line) => line.seat))
  }
  why = () => Promise.reject(new Error())
}

const story = {
  scenes: (before: TableView, after: TableView): Scene[] =>
    after.log.slice(before.log.length).map(({ number, seat }) => ({
      number,
      seat,
      steps: [
        { ms: 60 },
        { ms: 40, table: tableOf(...after.log.slice(0, number + 1).map((line) => line.seat)) },
      ],
    })),
  rewind: (table: TableView, number: number) =>
    tableOf(...table.log.slice(0, number).map((line) => line.seat)),
}

function follow(...moves: number[]) {
  const source = new TestTable(tableOf(...moves))
  const timeline = new Timeline<Step>(source, story)
  const shown = () => timeline.table!.log.map((line) => line.seat).join('')
  const happens = (...seats: number[]) => {
    source.table = tableOf(...source.table.log.map((line) => line.seat), ...seats)
    timeline.follow()
  }
  return { source, timeline, shown, happens }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  screen.still = false
  vi.useRealTimers()
})

it('what is shown follows what is told', () => {
  const { timeline, shown, happens } = follow(0)
  happens(1)
  expect([shown(), timeline.scene!.seat]).toEqual(['0', 1])
  vi.advanceTimersByTime(59)
  expect(shown()).toBe('0')
  vi.advanceTimersByTime(1)
  expect([shown(), timeline.scene!.seat]).toEqual(['01', 1])
  vi.advanceTimersByTime(40)
  expect([timeline.scene, timeline.marked[0]!.seat]).toEqual([null, 1])
})

it('acts of several queue and go faster when there are many', () => {
  const { timeline, shown, happens } = follow(0)
  happens(1)
  happens(2)
  vi.advanceTimersByTime(100)
  expect([shown(), timeline.scene!.seat]).toEqual(['01', 2])
  vi.advanceTimersByTime(100)
  expect(shown()).toBe('012')
  happens(1, 2, 1)
  expect(timeline.pace).toBeLessThan(1)
  vi.advanceTimersByTime(60)
  expect(timeline.scene!.number).toBe(4)
})

it('a tap skips everything, which stays marked', () => {
  const { timeline, shown, happens } = follow(0)
  happens(1, 2)
  timeline.skip()
  expect(shown()).toBe('012')
  expect(timeline.scene).toBeNull()
  expect(timeline.marked.map((scene) => scene.seat)).toEqual([1, 2])
  vi.runAllTimers()
  expect(shown()).toBe('012')
})

it('my own move skips the others and is there at once', async () => {
  const { timeline, shown, happens } = follow(0)
  happens(1, 2)
  await timeline.move(0, '0')
  expect(timeline.scene!.seat).toBe(0)
  expect(shown()).toBe('012')
  vi.advanceTimersByTime(60)
  expect(shown()).toBe('0120')
  expect(timeline.since).toEqual([])
})

it('an undo in the middle of a scene shows the table as it is', async () => {
  const { timeline, shown, happens } = follow(0)
  happens(1)
  vi.advanceTimersByTime(30)
  await timeline.undo(0)
  expect([shown(), timeline.scene]).toEqual(['0', null])
  vi.runAllTimers()
  expect(shown()).toBe('0')
})

it('a reconnect in the middle of a scene neither repeats nor loses anything', () => {
  const { source, timeline, shown, happens } = follow(0)
  happens(1)
  vi.advanceTimersByTime(30)
  source.table = tableOf(0, 1) // the same, as the socket brings it again
  timeline.follow()
  source.table = tableOf(0, 1, 2) // and what happened meanwhile
  timeline.follow()
  vi.advanceTimersByTime(70)
  expect([shown(), timeline.scene!.seat]).toEqual(['01', 2])
  vi.advanceTimersByTime(100)
  expect([shown(), timeline.scene]).toEqual(['012', null])
})

it('a page that opens says what happened since I moved, and tells it again', () => {
  const { timeline, shown } = follow(1, 0, 1, 2)
  expect(timeline.since.map((scene) => scene.number)).toEqual([2, 3])
  expect(shown()).toBe('1012')
  timeline.replay()
  expect([shown(), timeline.scene!.seat]).toEqual(['10', 1])
  vi.runAllTimers()
  expect(shown()).toBe('1012')
  expect(timeline.since).toHaveLength(2)
})

it('after a long absence nothing is told by itself', () => {
  const { timeline, shown, happens } = follow(0)
  happens(...Array.from({ length: 13 }, (_, k) => 1 + (k % 2)))
  expect(timeline.scene).toBeNull()
  expect(shown()).toHaveLength(14)
  expect(timeline.since).toHaveLength(13)
})

it('without motion a scene is there at once, and waits only for the one before', () => {
  screen.still = true
  const { timeline, shown, happens } = follow(0)
  happens(1)
  expect([shown(), timeline.scene, timeline.marked[0]!.seat]).toEqual(['01', null, 1])
  happens(2, 1)
  expect(shown()).toBe('012')
  vi.advanceTimersByTime(600)
  expect(shown()).toBe('0121')
})
