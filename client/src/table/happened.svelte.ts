/**
 * What happens at a table besides moves, in words: somebody leaves, a bot takes over, time is up,
 * a connection breaks, somebody looks on. Each is shown once as a notice and kept in a list.
 */

import { createContext, untrack } from 'svelte'
import type { LiveTable } from '../api/live.svelte'
import type { AskedUndo, Happening, LogLine, TableView } from '../api/schema'
import { announce } from '../shell/announce.svelte'
import { say } from '../shell/texts.svelte'
import { seatName } from './names'
import { elapsedText } from './time'

export interface Told {
  key: string
  /** When, in milliseconds by this browser's clock. */
  at: number
  /** Whose face stands beside it; -1 for nobody's. */
  seat: number
  text: string
}

type MoveText = (lines: readonly LogLine[]) => string

const READ_MS = 5000
const MOST_SHOWN = 3
const MOST_WATCHERS = 5 // of more, nobody wants to hear one by one

/** What happened, as a sentence. */
export function happeningText(table: TableView, told: Happening, moveText: MoveText): string {
  const name = seatName(table, told.seat)
  const move = told.kind === 'time' ? forcedMove(table, told, moveText) : ''
  const by = told.by >= 0 && told.by !== told.seat ? seatName(table, told.by) : ''
  const time = elapsedText(told.seconds)
  const how =
    (told.kind === 'bot' || told.kind === 'undone') && by
      ? `${told.kind}_by`
      : told.kind !== 'time'
        ? told.kind
        : `${table.seats[told.seat]?.mine ? 'my_time' : 'time'}${move ? '_move' : ''}`
  return say(`web.happened.${how}`, { name, by, time, move })
}

/** The move that the clock made, as far as this table knows it. */
function forcedMove(table: TableView, told: Happening, moveText: MoveText): string {
  const line = table.log.find(({ number }) => number === told.line)
  return line ? moveText([line]) : ''
}

export class Happened {
  /** Notices that are on the page now. */
  shown: Told[] = $state.raw([])
  /** What this page alone has seen: who was connected when. */
  private seen: Told[] = $state.raw([])
  private online: Record<number, boolean> | null = null
  private watchers: string[] | null = null
  private asked: AskedUndo | null = null
  private last: number | null = null // the newest event that was told

  constructor(
    private readonly live: LiveTable,
    private readonly moveText: () => MoveText,
  ) {
    $effect(() => {
      const { table } = live
      if (!table) return
      const [names, count] = [live.named.map(({ name }) => name), live.watchers]
      untrack(() => this.follow(table, names, count))
    })
  }

  /** All of it, the oldest first. */
  readonly all = $derived.by((): Told[] => {
    const { table } = this.live
    if (!table) return []
    const told = table.happenings.map((one) => this.told(table, one))
    return [...told, ...this.seen].sort((a, b) => a.at - b.at)
  })

  private told(table: TableView, one: Happening): Told {
    const text = happeningText(table, one, this.moveText())
    const ahead = Number.isFinite(this.live.ahead) ? this.live.ahead : 0
    return { key: `${one.number}`, at: one.at * 1000 - ahead, seat: one.seat, text }
  }

  private follow(table: TableView, names: readonly string[], count: number): void {
    const news = table.happenings.filter(({ number }) => this.last !== null && number > this.last)
    // What I do myself needs no notice; that my time is up does.
    const others = news.filter(
      ({ kind, seat, by }) => kind === 'time' || !table.seats[by >= 0 ? by : seat]?.mine,
    )
    this.last = Math.max(this.last ?? 0, table.happenings.at(-1)?.number ?? 0)
    const playing = table.seats.some(({ mine }) => mine)
    const told = others.map((one) => ({ ...one, ...this.told(table, one) }))
    // That a move was made for me is heard from `StandIn.svelte` and before my next turn.
    const heard = told.filter(({ kind, seat, line }) => {
      return kind !== 'time' || (line ?? -1) < 0 || !table.seats[seat]?.mine
    })
    // Who can answer a request sees it with its buttons.
    this.show(playing ? told.filter(({ kind }) => kind !== 'asked') : told, heard)
    this.followUndo(table, news)
    if (table.started !== null && !table.finished) this.followPeople(table, names, count)
  }

  /** Says that a request to undo has ended by itself: nobody has answered it. */
  private followUndo(table: TableView, news: readonly Happening[]): void {
    const before = this.asked
    this.asked = table.asked_undo ?? null
    const answered = news.some(({ kind }) => kind === 'undone' || kind === 'refused')
    if (before && !this.asked && !answered && !table.finished)
      this.note(before.seat, say('web.happened.lapsed', { name: seatName(table, before.seat) }))
  }

  private followPeople(table: TableView, names: readonly string[], count: number): void {
    const people = table.seats.filter(({ kind, mine }) => kind === 'person' && !mine)
    const online = Object.fromEntries(people.map((head) => [head.seat, head.online]))
    const before = this.online
    this.online = online
    for (const { seat, name } of before ? people : [])
      if (before![seat] !== undefined && before![seat] !== online[seat])
        this.note(seat, say(`web.happened.${online[seat] ? 'online' : 'offline'}`, { name }))
    const known = this.watchers
    this.watchers = [...names]
    const playing = table.seats.some(({ mine }) => mine)
    if (known && playing && count <= MOST_WATCHERS)
      for (const name of names)
        if (!known.includes(name)) this.note(-1, say('web.happened.watching', { name }))
  }

  private note(seat: number, text: string): void {
    const told = { key: `${Date.now()} ${text}`, at: Date.now(), seat, text }
    this.seen = [...this.seen, told]
    this.show([told])
  }

  private show(news: readonly Told[], heard = news): void {
    if (heard.length) announce(...heard.map(({ text }) => text))
    if (!news.length) return
    this.shown = [...this.shown, ...news].slice(-MOST_SHOWN)
    setTimeout(() => {
      this.shown = this.shown.filter((one) => !news.includes(one))
    }, READ_MS)
  }
}

/** What happened at the table of the page, for whatever shows it there. */
export const [happenedHere, setHappened] = createContext<Happened>()
