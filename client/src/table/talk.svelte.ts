/** What people say at a table: each phrase stands for some seconds in a bubble at its seat. */

import { getContext, setContext, untrack } from 'svelte'
import type { LiveTable } from '../api/live.svelte'
import * as server from '../api/server'
import type { Said } from '../api/schema'
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
  state: 'looking' | 'learning' | 'not_now'
}

const DECLINED_MS = 10_000 // so long the chair says that somebody cannot come now
const READ_MS = 4000
const KEY = 'headway-muted'
const MOST_MUTED = 200

/** What was said as a text; for a reaction, what its drawing shows. */
export const saidText = (what: string): string =>
  say(hasText(`web.phrase.${what}`) ? `web.phrase.${what}` : `web.reaction.${what}`)

const looking = (name: string): Visitor => ({ name, state: 'looking' })

/** What a visitor does, as a sentence. */
export const visitorText = ({ name, state }: Visitor): string =>
  say(`web.visitor.${state}`, { name: name || say('web.somebody') })

export class Talk {
  /** What stands at a seat now. */
  bubbles: Record<number, Said> = $state({})
  /** What people without a seat have answered to the invitation. */
  private answers: Visitor[] = $state([])
  /** Whom this browser does not want to hear, by table and seat. */
  private muted: string[] = $state((lasting.readJson(KEY) as string[] | null) ?? [])
  /** Ends when the server has said whom its guest has muted elsewhere; asked once. */
  private known: Promise<void> | undefined

  constructor(private readonly live: LiveTable) {
    live.onsaid = (said) => untrack(() => void this.hear(said))
  }

  private key = (seat: number) => `${this.live.id} ${seat}`

  isMuted(seat: number): boolean {
    return this.muted.includes(this.key(seat))
  }

  mute(seat: number, wanted: boolean): void {
    const others = this.muted.filter((key) => key !== this.key(seat))
    this.muted = wanted ? [...others, this.key(seat)].slice(-MOST_MUTED) : others
    lasting.writeJson(KEY, $state.snapshot(this.muted))
    if (wanted) delete this.bubbles[seat]
    // The server remembers a person; who only watches has but this browser.
    const mine = this.live.table?.seats.some((head) => head.mine)
    if (mine) void server.avoid(this.live.id, seat, 'mute', wanted).catch(() => undefined)
  }

  /** Asks whom I have muted or blocked, at this table or another. */
  private async ask(): Promise<void> {
    const people = await server.tablePeople(this.live.id).catch(() => [])
    const keys = people.filter((one) => one.muted || one.blocked).map(({ seat }) => this.key(seat))
    this.muted = [...new Set([...this.muted, ...keys])].slice(-MOST_MUTED)
  }

  /** Who looks at the table without a seat, learns the game first, or cannot come now. */
  readonly visitors = $derived.by((): Visitor[] => {
    const { watcherNames: names, watchers } = this.live
    const known = new Set(this.answers.map(({ name }) => name))
    const here = new Set(names)
    const mine = this.live.table?.seats.some((seat) => seat.mine) ? 0 : 1
    const nameless = Math.max(0, watchers - mine - names.length)
    return [
      ...this.answers.filter(({ name, state }) => state === 'not_now' || !here.has(name)),
      ...names.filter((name) => !known.has(name) || here.has(name)).map(looking),
      ...Array.from({ length: nameless }, () => looking('')),
    ].filter(({ name }, k, all) => !name || all.findIndex((one) => one.name === name) === k)
  })

  /** Somebody answers an invitation without sitting down. */
  private answer({ name, face, what }: Said): void {
    const state = what as Visitor['state']
    const visitor = { name, face, state }
    this.answers = [...this.answers.filter((other) => other.name !== name), visitor]
    announce(visitorText(visitor))
    if (state === 'not_now')
      setTimeout(() => {
        this.answers = this.answers.filter((one) => one.name !== name || one.state !== state)
      }, DECLINED_MS)
  }

  private async hear(said: Said): Promise<void> {
    if (said.what === 'not_now' || said.what === 'learning') return this.answer(said)
    await (this.known ??= this.ask())
    const { table } = this.live
    if (!table || said.seat < 0 || this.isMuted(said.seat)) return
    this.bubbles[said.seat] = said
    const name = seatName(table, said.seat)
    sound('bubble')
    announce(say('web.notice', { name, text: saidText(said.what) }))
    setTimeout(() => {
      if (this.bubbles[said.seat] === said) delete this.bubbles[said.seat]
    }, READ_MS)
  }
}

const HERE = Symbol('talk')
export const setTalk = (talk: Talk): Talk => setContext(HERE, talk)
/** What is said at the table of the page; undefined where nobody can say anything. */
export const talkHere = (): Talk | undefined => getContext(HERE)
