/** What people say at a table: each phrase stands for some seconds in a bubble at its seat. */

import { getContext, setContext, untrack } from 'svelte'
import type { LiveTable } from '../api/live.svelte'
import * as server from '../api/server'
import type { Remark, Said, SeatHead } from '../api/schema'
import { announce } from '../shell/announce.svelte'
import { sound } from '../shell/sound'
import { lasting } from '../shell/storage'
import { hasText, say } from '../shell/texts.svelte'
import { seatName } from './names'

export const PHRASES = [
  'hello',
  'luck',
  'well_played',
  'thanks',
  'sorry',
  'your_turn',
  'one_minute',
  'mind_the_gap',
  'close',
  'again',
] as const

/** The drawings of the reactions, 24 by 24. */
export const REACTIONS = {
  thumb: 'M7 11V20H4V11ZM7 12L11 4C13 4 13.5 5.5 13 9H19L17.5 19L16 20H7',
  clap: 'M5 14L10 9M7 17L13 10M10 19L16 12M13 20L18 14L16 9M4 6V3M8 5L9 2M1.5 9H4',
  heart: 'M12 20C4 14 3 11 3 8.5A4.5 4.5 0 0 1 12 7A4.5 4.5 0 0 1 21 8.5C21 11 20 14 12 20Z',
  star: 'M12 3L14.7 9L21 9.7L16.3 14L17.6 20.5L12 17.2L6.4 20.5L7.7 14L3 9.7L9.3 9Z',
  laugh: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M7.5 13H16.5A4.5 4.5 0 0 1 7.5 13ZM8 9.5h2M14 9.5h2',
  wow: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 14a2 2 0 1 0 0 4a2 2 0 1 0 0-4M9 9v.01M15 9v.01',
  think: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M9 15H15M9 9.5h1.5M15 9v.01',
  sad: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M8.5 16.5A4.5 4.5 0 0 1 15.5 16.5M9 10v.01M15 10v.01',
  cup: 'M5 9H16V15A4 4 0 0 1 12 19H9A4 4 0 0 1 5 15ZM16 11H18A2 2 0 0 1 18 15H16M8 3V6M12 3V6',
  bus: 'M5 4H19V18H5ZM5 12H19M8 15.5v.01M16 15.5v.01M7 18V21M17 18V21M8 8H16',
} as const

/** Somebody who has opened an invitation, and what they do. */
export interface Visitor {
  name: string
  face?: string
  /** The seat of who is asked to a rematch; -1 for others. */
  seat: number
  state: 'looking' | 'learning' | 'not_now'
}

/** What stands in a bubble: a text or, of a reaction, its drawing. */
export interface Spoken {
  what: string
  text: string
}

const STATES: readonly string[] = ['looking', 'learning', 'not_now']
const DECLINED_MS = 10_000 // so long the chair says that somebody cannot come now
const READ_MS = 4000
const READ = 'headway-read'
const MOST_TABLES = 50 // of which this browser knows what was read

/** What was said as a text; for a reaction, what its drawing shows. */
const saidText = (what: string): string =>
  say(hasText(`web.phrase.${what}`) ? `web.phrase.${what}` : `web.reaction.${what}`)

const NOBODY: Visitor = { name: '', seat: -1, state: 'looking' }

/** What a visitor does, as a sentence. */
export const visitorText = ({ name, state }: Visitor): string =>
  say(`web.visitor.${state}`, { name: name || say('web.somebody') })

export class Talk {
  /** What stands at a seat now. */
  bubbles: Record<number, Spoken> = $state({})
  /** What players have written, where the host allows it; the oldest first. */
  remarks: Remark[] = $state.raw([])
  /** What people have answered to the invitation. */
  private answers: Visitor[] = $state([])
  /** The newest remark that was read in this browser. */
  private readTo = $state(0)
  private readonly writing = $derived.by(() => {
    const { table, lost } = this.live
    return !!table?.chat && !lost && table.seats.some(({ mine }) => mine)
  })

  constructor(private readonly live: LiveTable) {
    live.onsaid = (said) => untrack(() => this.hear(said))
    this.readTo = this.allRead()[live.id] ?? 0
    $effect(() => {
      if (this.writing) void untrack(() => this.load())
    })
  }

  /** How many remarks of others are new. */
  readonly unread = $derived.by(
    () => this.remarks.filter(({ id, seat }) => id > this.readTo && !this.isMine(seat)).length,
  )

  isMine(seat: number): boolean {
    return !!this.live.table?.seats[seat]?.mine
  }

  private allRead = () => (lasting.readJson(READ) ?? {}) as Record<string, number>

  /** Notes that everything written so far has been read. */
  markRead(): void {
    const newest = this.remarks.at(-1)?.id ?? 0
    if (newest <= this.readTo) return
    this.readTo = newest
    const others = Object.entries(this.allRead()).filter(([table]) => table !== this.live.id)
    const all = [...others, [this.live.id, newest] as const].slice(-MOST_TABLES)
    lasting.writeJson(READ, Object.fromEntries(all))
  }

  /** Asks for what was written; whom I avoid is not in it. */
  async load(): Promise<void> {
    this.remarks = await server.remarks(this.live.id).catch(() => this.remarks)
  }

  async write(text: string): Promise<void> {
    this.add(await server.writeRemark(this.live.id, text))
  }

  private add(remark: Remark): void {
    const others = this.remarks.filter(({ id }) => id !== remark.id)
    this.remarks = [...others, remark].sort((a, b) => a.id - b.id)
  }

  /** Who looks at the table without a seat, learns the game first, or cannot come now. */
  readonly visitors = $derived.by((): Visitor[] => {
    const { named, watchers, table } = this.live
    const seated = new Set(table?.seats.map(({ name }) => name))
    const here = new Set(named.map(({ name }) => name))
    const mine = table?.seats.some((seat) => seat.mine) ? 0 : 1
    const nameless = Math.max(0, watchers - mine - named.length)
    const away = this.answers.filter(
      ({ name, state }) => !seated.has(name) && (state === 'not_now' || !here.has(name)),
    )
    const gone = new Set(away.map(({ name }) => name))
    return [
      ...away,
      ...named.filter(({ name }) => !gone.has(name)).map((who) => ({ ...NOBODY, ...who })),
      ...Array.from({ length: nameless }, () => NOBODY),
    ]
  })

  /** What the holder of a seat, who is not here yet, has answered to the call for a rematch. */
  answerOf({ seat, online, ready }: SeatHead): Visitor | undefined {
    return online || ready ? undefined : this.answers.find((one) => one.seat === seat)
  }

  /** Somebody answers an invitation without sitting down. */
  private answer(visitor: Visitor): void {
    const { name, state, seat } = visitor
    this.answers = [...this.answers.filter((other) => other.name !== name), visitor]
    const text = visitorText(visitor)
    if (seat >= 0 && this.live.table?.started) this.show(seat, { what: state, text })
    announce(text)
    if (state === 'not_now')
      setTimeout(() => {
        this.answers = this.answers.filter((one) => one.name !== name || one.state !== state)
      }, DECLINED_MS)
  }

  private hear(said: Said | Remark): void {
    const { table } = this.live
    const { seat } = said
    if (said.type === 'said' && STATES.includes(said.what)) {
      const state = said.what as Visitor['state']
      return this.answer({ name: said.name, face: said.face, seat, state })
    }
    if (said.type === 'remark') this.add(said)
    if (!table || seat < 0) return
    const text = said.type === 'remark' ? said.text : saidText(said.what)
    this.show(seat, { what: said.type === 'remark' ? '' : said.what, text })
    sound('bubble')
    announce(say('web.notice', { name: seatName(table, seat), text }))
  }

  private show(seat: number, spoken: Spoken): void {
    this.bubbles[seat] = spoken
    const shown = this.bubbles[seat]
    setTimeout(
      () => {
        if (this.bubbles[seat] === shown) delete this.bubbles[seat]
      },
      READ_MS + 40 * spoken.text.length,
    )
  }
}

const HERE = Symbol('talk')
export const setTalk = (talk: Talk): Talk => setContext(HERE, talk)
/** What is said at the table of the page; undefined where nobody can say anything. */
export const talkHere = (): Talk | undefined => getContext(HERE)
