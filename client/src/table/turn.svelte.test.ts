import { expect, it } from 'vitest'
import { Refused } from '../api/server'
import type { ErrorBody, TableView, Why } from '../api/schema'
import type { TableSource } from './source'
import { seatOnScreen, sentAtOnce, Turn } from './turn.svelte'

/** A table that is not followed: a test answers instead of the server. */
class TestTable implements TableSource {
  readonly kind = 'live'
  table: TableView = $state.raw()!
  moves: string[] = []
  answers: ((sentence: string) => void)[] = []
  refuses = false

  constructor(actors: number[], mine: number[]) {
    const seats = [0, 1].map((seat) => ({ seat, name: `${seat}`, mine: mine.includes(seat) }))
    this.table = {
      id: 't',
      number: 1,
      seats,
      views: Object.fromEntries(mine.map((seat) => [seat, { actors, finished: false }])),
      legal: { '0': ['a'] },
      can_undo: { '0': true },
      log: [],
    } as unknown as TableView
  }

  /** Somebody else has to move now. */
  turnOf(seat: number): void {
    const views = Object.keys(this.table.views).map((mine) => [
      mine,
      { actors: [seat], finished: false },
    ])
    this.table = { ...this.table, views: Object.fromEntries(views) as TableView['views'] }
  }

  async move(_: number, text: string): Promise<void> {
    await this.refusal()
    this.moves.push(text)
  }
  async undo(): Promise<void> {
    await this.refusal()
    this.moves.pop()
  }
  why(): Promise<Why> {
    return new Promise((resolve) => this.answers.push((sentence) => resolve({ sentence })))
  }
  private async refusal(): Promise<void> {
    await Promise.resolve()
    if (this.refuses) throw new Refused(409, { sentence: 'Too late.' } as ErrorBody)
  }
}

function turnAt(live: TestTable) {
  const page = { moment: 'one', paused: false, learned: false }
  const turn = new Turn<{ actors: number[]; finished: boolean }, string>(live, {
    moment: () => page.moment,
    fresh: () => '',
    begun: (draft) => draft !== '',
    emptied: () => '',
    covers: () => true,
    learned: () => page.learned,
    paused: () => page.paused,
    sounds: { opening: 'turn', drafted: 'card', made: 'card' },
    opening: () => [],
    focus: () => undefined,
  })
  return { page, turn }
}

it('shows the seat that took the screen over, else one that has to move', () => {
  expect(seatOnScreen([0, 1], [0, 1], 1)).toBe(1)
  expect(seatOnScreen([0, 1], [0], 1)).toBe(0)
  expect(seatOnScreen([0, 1], [], 1)).toBe(1)
  expect(seatOnScreen([2], [], null)).toBe(2)
  expect(seatOnScreen([], [], null)).toBe(-1)
})

it('sends at once as the player prefers', () => {
  expect(sentAtOnce('never', 'touch')).toBe(true)
  expect(sentAtOnce('touch', 'mouse')).toBe(true)
  expect(sentAtOnce('touch', 'touch')).toBe(false)
  expect(sentAtOnce('always', 'key')).toBe(false)
})

it('a draft belongs to its moment', () => {
  const { page, turn } = turnAt(new TestTable([0], [0]))
  turn.plan('a')
  expect([turn.draft, turn.canTakeBack]).toEqual(['a', true])
  page.moment = 'two'
  expect(turn.draft).toBe('')
})

it('at one screen nobody acts before having taken over', () => {
  const { page, turn } = turnAt(new TestTable([0, 1], [0, 1]))
  expect([turn.covered, turn.acting]).toEqual([true, false])
  turn.takeOver()
  expect([turn.covered, turn.acting]).toEqual([false, true])
  page.paused = true
  expect(turn.acting).toBe(false)
})

it('who has learned something keeps the screen until they hand over', () => {
  const live = new TestTable([0], [0, 1])
  const { page, turn } = turnAt(live)
  turn.takeOver()
  expect([turn.seat, turn.next]).toEqual([0, null])
  live.turnOf(1)
  expect([turn.seat, turn.next, turn.covered]).toEqual([1, null, true])
  page.learned = true
  live.turnOf(1)
  expect([turn.seat, turn.next, turn.covered, turn.acting]).toEqual([0, 1, false, false])
  turn.handOver()
  expect([turn.seat, turn.next, turn.covered]).toEqual([1, null, true])
})

it('nobody keeps a screen that they have not taken over, or that is theirs alone', () => {
  const shared = turnAt(new TestTable([1], [0, 1]))
  shared.page.learned = true
  expect([shared.turn.seat, shared.turn.covered]).toEqual([1, true])
  const live = new TestTable([0], [0])
  const own = turnAt(live)
  own.page.learned = true
  own.turn.takeOver()
  live.turnOf(1)
  expect([own.turn.next, own.turn.covered]).toEqual([null, false])
})

it('takes the draft back first, then the move', async () => {
  const live = new TestTable([0], [0])
  const { turn } = turnAt(live)
  await turn.send('a')
  turn.plan('b')
  await turn.takeBack()
  expect([turn.draft, live.moves]).toEqual(['', ['a']])
  await turn.takeBack()
  expect(live.moves).toEqual([])
})

it('says why a move or an undo was refused', async () => {
  const live = new TestTable([0], [0])
  const { page, turn } = turnAt(live)
  live.refuses = true
  await turn.send('a')
  expect([turn.answer, turn.sending]).toEqual(['Too late.', false])
  page.moment = 'two'
  expect(turn.answer).toBe('')
  await turn.takeBack()
  expect(turn.answer).toBe('Too late.')
})

it('drops an answer that comes after something else was planned', async () => {
  const live = new TestTable([0], [0])
  const { page, turn } = turnAt(live)
  const asked = async (meanwhile: () => void) => {
    const done = turn.explain('', 'x', 'here')
    meanwhile()
    live.answers.pop()!('Because.')
    await done
    return [turn.answer, turn.refused]
  }
  expect(await asked(() => undefined)).toEqual(['Because.', 'here'])
  expect(await asked(() => turn.plan('a'))).toEqual(['', ''])
  expect(await asked(() => (page.moment = 'two'))).toEqual(['', ''])
})
