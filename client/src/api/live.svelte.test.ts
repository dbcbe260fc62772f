import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LiveTable } from './live.svelte'
import type { TableView } from './schema'
import * as server from './server'

vi.hoisted(() => {
  for (const name of ['addEventListener', 'removeEventListener'])
    vi.stubGlobal(name, () => undefined)
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' })
  vi.stubGlobal('document', {
    documentElement: { lang: 'en', dataset: {} },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
})

/** The server's end of a table: what it answers, and the sockets that were opened. */
const far = { number: 1, asked: 0, sockets: [] as Socket[] }

class Socket {
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: () => void
  closed = false

  constructor(readonly url: string) {
    far.sockets.push(this)
  }
  open(): void {
    this.onopen?.()
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  close(): void {
    this.closed = true
    this.onclose?.()
  }
}

const line = (number: number) => ({ number, seat: 0, text: `move ${number}` })
const view = (number: number, log = [line(number - 1)], log_from = 0): TableView =>
  ({ id: 't', number, log, log_from, now: 0, seats: [], views: {} }) as unknown as TableView
const numbers = (table: LiveTable) => table.table!.log.map(({ number }) => number)

/** A table that listens to its socket. */
async function opened(): Promise<[LiveTable, Socket]> {
  const table = new LiveTable('t')
  await vi.advanceTimersByTimeAsync(0)
  const socket = far.sockets.at(-1)!
  socket.open()
  return [table, socket]
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  Object.assign(far, { number: 1, asked: 0, sockets: [] })
  vi.spyOn(server, 'table').mockImplementation(() => {
    far.asked++
    return Promise.resolve(view(far.number))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('asks for the table, then listens from its number on', async () => {
  far.number = 7
  const [table, socket] = await opened()
  expect([table.table!.number, socket.url]).toEqual([7, 'ws://here/api/tables/t/live?since=7'])
  socket.say({ type: 'table', table: view(8) })
  expect([table.table!.number, table.lost, far.asked]).toEqual([8, false, 1])
})

it('keeps what is newer, whatever comes late', async () => {
  const [table] = await opened()
  table.take(view(5))
  table.take(view(4))
  expect(table.table!.number).toBe(5)
})

it('puts the news of the log behind the lines that it has', async () => {
  far.number = 3
  const [table, socket] = await opened()
  socket.say({ type: 'table', table: { number: 4, log: [line(3)], log_from: 1 } })
  expect([numbers(table), table.table!.log_from]).toEqual([[2, 3], 0])
  socket.say({ type: 'table', table: { number: 6, log: [line(5)], log_from: 1 } }) // an undo
  expect([numbers(table), table.table!.number]).toEqual([[2, 5], 6])
})

it('replaces fields, and continues the views that are named', async () => {
  const [table, socket] = await opened()
  const views = { '0': { actors: [0, 1], turn: 2 }, '1': { actors: [0, 1], turn: 2 } }
  socket.say({ type: 'table', table: { legal: { '0': ['a'] }, views } })
  socket.say({ type: 'table', table: { views: { '0': { actors: [1] } } } })
  expect(table.table).toMatchObject({
    number: 1,
    legal: { '0': ['a'] },
    views: { '0': { actors: [1], turn: 2 } },
  })
  expect(Object.keys(table.table!.views)).toEqual(['0'])
})

it('compares with what the socket has told, not with answers to requests', async () => {
  const [table, socket] = await opened()
  table.take({ ...view(2), rematch_by: 1 }) // an answer that is ahead
  socket.say({ type: 'table', table: { number: 3 } })
  expect(table.table).toMatchObject({ number: 3, log: [line(0)] })
  expect(table.table!.rematch_by).toBeUndefined()
})

it('hears who looks on and what the table waits for, until the next socket', async () => {
  const [table, socket] = await opened()
  const ned = { name: 'Ned', face: '01234' }
  const compiling = { bot: 'expert', simpler: 'greedy', since: 1, typical: 9 }
  socket.say({ type: 'table', watchers: 2, named: [ned], compiling })
  expect([table.watchers, table.named, table.compiling]).toEqual([2, [ned], compiling])
  socket.open()
  expect([table.watchers, table.named, table.compiling]).toEqual([0, [], null])
})

it('does not wait for a socket that is silent, to be told of a move that was made', async () => {
  vi.spyOn(server, 'move').mockImplementation(() => Promise.resolve({ number: ++far.number }))
  const [table, socket] = await opened()
  const told = table.move(0, 'a')
  await vi.advanceTimersByTimeAsync(0)
  socket.say({ type: 'table', table: view(2) })
  await told
  expect([table.table!.number, far.asked]).toEqual([2, 1])
  const silent = table.move(0, 'b')
  await vi.advanceTimersByTimeAsync(2000)
  await silent
  expect([table.table!.number, far.asked]).toEqual([3, 2])
})

it('takes a socket for broken that says nothing for two beats, and comes back', async () => {
  const [table, socket] = await opened()
  await vi.advanceTimersByTimeAsync(6000)
  socket.say({ type: 'pong' })
  await vi.advanceTimersByTimeAsync(9000)
  expect([socket.closed, table.lost]).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(3000)
  expect(socket.closed).toBe(true)
  far.number = 9
  await vi.advanceTimersByTimeAsync(10_000)
  expect(far.sockets.length).toBeGreaterThan(1)
  far.sockets.at(-1)!.open()
  expect([table.table!.number, table.lost]).toEqual([9, false])
  table.close()
  const { length } = far.sockets
  await vi.advanceTimersByTimeAsync(200_000)
  expect(far.sockets).toHaveLength(length)
})
