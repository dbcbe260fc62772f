/** A table as it is now: follows its socket, heals when the connection breaks, sends moves. */

import { untrack } from 'svelte'
import { socketOf } from '../shell/folder'
import type { TableSource } from '../table/source'
import { noticed } from './notice.svelte'
import { mayPass, pauseAfter, persist } from './retry'
import * as server from './server'
import { Refused } from './server'
import type {
  CompileWait,
  Pong,
  RefusedMessage,
  Remark,
  Said,
  TableChanges,
  TableNews,
  TableView,
  Watcher,
  Why,
} from './schema'

const BEAT_MS = 4000 // how often the server says that it is there
const SILENCE_MS = 2.5 * BEAT_MS // then the connection is broken
const NEWS_MS = 2000 // how long the socket may take to bring a move that the server has confirmed

type SocketMessage = TableNews | Said | Remark | Pong | RefusedMessage

/** The table after news: fields replace old ones, views and the log are continued. */
export function withChanges(table: TableView | undefined, changes: TableChanges): TableView {
  const views: Record<string, object> = changes.views ?? {}
  const continued = Object.entries(views).map(([seat, fields]) => [
    seat,
    { ...table?.views[seat], ...fields },
  ])
  const kept = table?.log.slice(0, changes.log_from) ?? []
  return {
    ...table,
    ...changes,
    ...(changes.views && { views: Object.fromEntries(continued) as TableView['views'] }),
    ...(changes.log && { log: [...kept, ...changes.log] }),
    log_from: 0,
  } as TableView
}

export class LiveTable implements TableSource {
  readonly kind = 'live'
  table: TableView | undefined = $state.raw()
  /** Not reachable just now; we keep trying. */
  lost = $state(false)
  /** Why the table cannot be shown at all. */
  missing: Refused | undefined = $state.raw()
  /** How many look on without a seat, me included if I do. */
  watchers = $state(0)
  /** Some of the others who look on, who have a name. */
  named: Watcher[] = $state.raw([])
  /** What the table waits for, if it is the compiling of a bot. */
  compiling: CompileWait | null = $state.raw(null)
  /** How far the server's clock is ahead of ours, in milliseconds, as far as we know. */
  ahead = -Infinity

  /** Hears what people say. */
  onsaid: (said: Said | Remark) => void = () => undefined

  private socket: WebSocket | undefined
  private closed = false
  private tries = 0
  private again: ReturnType<typeof setTimeout> | undefined
  private pulse: ReturnType<typeof setInterval> | undefined
  private heard = 0
  /** The table as the socket has told it; answers to requests may already be ahead of it. */
  private told: TableView | undefined
  private waiting: { number: number; wake: () => void }[] = []

  constructor(readonly id: string) {
    addEventListener('online', this.hurry)
    document.addEventListener('visibilitychange', this.hurry)
    document.addEventListener('visibilitychange', this.look)
    void this.connect()
  }

  close(): void {
    this.closed = true
    clearTimeout(this.again)
    clearInterval(this.pulse)
    removeEventListener('online', this.hurry)
    document.removeEventListener('visibilitychange', this.hurry)
    document.removeEventListener('visibilitychange', this.look)
    this.socket?.close()
  }

  /** Takes over what the server says, unless something newer is known already. */
  take(table: TableView): void {
    // What took long to arrive says less than is true, so the largest difference is the best.
    this.ahead = Math.max(this.ahead, table.now * 1000 - Date.now())
    const current = untrack(() => this.table)
    if (current && table.number < current.number) return
    this.table = table
    this.waiting = this.waiting.filter(({ number, wake }) => {
      if (number <= table.number) wake()
      return number > table.number
    })
  }

  /** Takes over what the socket says is new. */
  private hear({ table, watchers, named, compiling, notice }: TableNews): void {
    if (watchers !== undefined) this.watchers = watchers
    if (named) this.named = named
    if (compiling !== undefined) this.compiling = compiling
    if (notice !== undefined) noticed(notice)
    if (table) this.take((this.told = withChanges(this.told, table)))
  }

  /** Sends a move until the server has answered; the same id makes a second try harmless. */
  async move(seat: number, text: string): Promise<void> {
    const client_id = server.newId()
    const number = this.table?.number ?? 0 // a move for a turn that is over by then is refused
    await persist(
      async () => {
        const moved = await server.move(this.id, { seat, move: text, client_id, number })
        await this.reach(moved.number)
      },
      (lost) => {
        this.lost = lost
        return !this.closed
      },
    )
  }

  /** Waits until the socket has brought an event; asks for the table if the socket is silent. */
  private async reach(number: number): Promise<void> {
    if ((this.table?.number ?? 0) >= number) return
    const news = new Promise<void>((wake) => this.waiting.push({ number, wake }))
    const late = new Promise<true>((wake) => setTimeout(() => wake(true), NEWS_MS))
    if (await Promise.race([news, late])) this.take(await server.table(this.id))
  }

  /** Takes a seat's last move back. */
  async undo(seat: number): Promise<void> {
    this.take(await server.undo(this.id, seat))
  }

  /** Why a seat cannot make a move. */
  why(seat: number, text: string): Promise<Why> {
    return server.why(this.id, seat, text)
  }

  private hurry = (): void => {
    if (document.visibilityState !== 'visible' || !this.lost) return
    clearTimeout(this.again)
    this.tries = 0
    void this.connect()
  }

  /** Says whether somebody sees the page: who does not may be called. */
  private look = (): void => {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.socket.send(JSON.stringify({ type: 'looking', looking: !document.hidden }))
  }

  /** Asks for the table, then listens; a table that does not exist is not asked for again. */
  private async connect(): Promise<void> {
    if (this.closed) return
    this.ahead = -Infinity
    try {
      this.take((this.told = await server.table(this.id)))
      this.missing = undefined
    } catch (error) {
      if (mayPass(error)) return this.retry(error)
      this.lost = false
      this.missing = error as Refused
      return
    }
    this.listen()
  }

  private listen(): void {
    this.socket?.close()
    const query = this.told ? `?since=${this.told.number}` : ''
    const socket = new WebSocket(socketOf(`/api/tables/${this.id}/live${query}`))
    this.socket = socket
    socket.onopen = () => {
      this.hear({ type: 'table', watchers: 0, named: [], compiling: null })
      this.tries = 0
      this.lost = false
      this.heard = Date.now()
      if (document.hidden) this.look()
      clearInterval(this.pulse)
      this.pulse = setInterval(() => this.check(socket), BEAT_MS / 4)
    }
    socket.onmessage = (event) => {
      this.heard = Date.now()
      const said = JSON.parse(event.data as string) as SocketMessage
      if (said.type === 'table') this.hear(said)
      else if (said.type === 'said' || said.type === 'remark') this.onsaid(said)
    }
    socket.onclose = () => {
      if (this.socket === socket && !this.closed) this.retry()
    }
  }

  /** A connection that broke without being closed shows by its silence. */
  private check(socket: WebSocket): void {
    if (Date.now() - this.heard > SILENCE_MS) socket.close()
  }

  private retry(error?: unknown): void {
    clearInterval(this.pulse)
    clearTimeout(this.again)
    this.lost = true
    this.again = setTimeout(() => void this.connect(), pauseAfter(error, ++this.tries))
  }
}
