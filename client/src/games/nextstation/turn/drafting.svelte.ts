/** The sheet on the screen, what is drafted on it, and what taps on its stations come to. */

import type { TableSource } from '../../../table/source'
import { announce } from '../../../shell/announce.svelte'
import { settings } from '../../../shell/preferences.svelte'
import { say } from '../../../shell/texts.svelte'
import { type Means, Turn, type TurnRules } from '../../../table/turn.svelte'
import type { City } from '../board/city'
import { begun, Choice, type Draft, type Extra, fresh } from './draft'
import { named } from '../board/coordinates'
import { moveName } from '../words/labels'
import { type Line, linesOf, withFresh } from '../board/lines'
import { moveText, parseMove, sectionsOf, usesExtra, type Way } from './notation'
import type { View } from '../types'

/** What the page does for a turn; it is paused while the points of a round are counted. */
type Page = Pick<TurnRules<Draft>, 'paused' | 'opening' | 'focus'>

export class Drafting {
  readonly turn: Turn<View, Draft>
  /** Whether what is shown was played before, elsewhere. */
  readonly past: boolean
  private asked = $state('') // the moment in which the page asked about an unused power

  constructor(
    source: TableSource,
    readonly city: City,
    page: Page,
  ) {
    this.past = source.kind === 'replay' || source.kind === 'paper'
    this.turn = new Turn<View, Draft>(source, {
      moment: () => {
        const { table, seat, view } = this.turn
        return `${table.id} ${seat} ${view.round} ${view.turn}`
      },
      fresh: () => fresh(this.extra),
      begun,
      emptied: () => fresh(this.extra),
      covers: () =>
        settings.curtain && this.turn.waiting.includes(this.turn.seat) && !page.paused(),
      sounds: { opening: 'flip', drafted: 'pencil', made: 'ink' },
      learned: () => false, // what a move brings is on the sheet before it is sent
      ...page,
    })
  }

  // --- the sheet

  /** The seat whose sheet is on the screen. */
  readonly shown = $derived.by(() => {
    const { seat, view, table } = this.turn
    return Math.max(seat, view.seat, seat < 0 ? table.seats.findIndex((head) => head.kept) : 0, 0)
  })
  readonly sheet = $derived.by(() => this.turn.view.sheets[this.shown]!)
  readonly pencil = $derived.by(() => {
    const { pencils, round } = this.turn.view
    return pencils[this.shown]?.[round - 1] ?? ''
  })
  readonly extra = $derived.by((): Extra | null => {
    const [kind, name] = this.sheet.extra.split(' ')
    return name ? { kind: kind as Extra['kind'], name } : null
  })

  // --- the draft

  readonly choice = $derived.by(() => new Choice(this.turn.legal, this.extra))
  /** The tracks that can be drawn next. */
  readonly ways = $derived.by(() => (this.turn.acting ? this.choice.open(this.turn.draft) : []))
  /** The draft, or the own move that waits for the others, as it will be on the sheet. */
  readonly planned = $derived.by(() => {
    const { view, draft } = this.turn
    return parseMove(view.own_move) ?? draft
  })
  /** The sections of that, with the station they start from. */
  readonly tracks = $derived.by(
    () => new Map(sectionsOf(this.planned).map((part) => [this.city.index(...part)!, part[0]])),
  )
  private readonly lines = $derived.by(() => linesOf(this.city, this.sheet.lines))
  /** The lines of the sheet with the draft. */
  readonly drawn = $derived.by((): Line[] => {
    const { finished, round } = this.turn.view
    if (finished) return this.lines
    return withFresh(this.lines, round, this.tracks)
  })
  readonly hinted = $derived.by(() => sectionsOf(parseMove(this.turn.hinted)))
  /** The drafted move; null while the draft is no move. */
  readonly move = $derived.by(() => this.choice.text(this.turn.draft))

  /** What it adds to the points, where the server says so. */
  readonly gain = $derived.by(() => {
    const { table, legal, seat } = this.turn
    return this.move === null ? undefined : table.gains[`${seat}`]?.[legal.indexOf(this.move)]
  })

  /** The stations that can be reached, in words. */
  reachable(): string {
    const ends = [...new Set(this.choice.tracks(this.turn.draft).map((track) => track.to))]
    return ends.join(', ') || say('web.nextstation.none')
  }

  // --- drafting

  pick(station: string, by: Means): void {
    const { turn, choice } = this
    turn.means = by
    if (!turn.acting) return
    const tap = choice.tap(turn.draft, station, (from) => this.meant(station, from))
    if (tap.kind === 'draft') this.drafted(tap.draft)
    else if (tap.kind === 'from') {
      turn.plan(tap.draft)
      if (tap.draft.from)
        announce(say('web.nextstation.heard_from', { station, targets: this.reachable() }))
    } else if (tap.kind === 'choose') {
      turn.plan(tap.draft)
      turn.tell(
        named()
          ? say('web.nextstation.which_start', { station, starts: tap.sources.join(', ') })
          : say('web.nextstation.which_filled', { stations: tap.sources.length }),
        '',
        true,
      )
    } else if (tap.kind === 'confirm') {
      if (turn.confirmsAgain) this.send()
    } else if (tap.kind === 'why') this.explain(station, tap.move)
    else turn.tell(say('web.nextstation.hint'))
  }

  drawTrack(from: string, to: string, by: Means): void {
    const { turn, choice } = this
    turn.means = by
    if (!turn.acting) return
    const track = choice.tracks(turn.draft).find((way) => way.from === from && way.to === to)
    if (track) this.drafted(choice.draw(turn.draft, track))
    else this.explain(to, this.meant(to, from)!)
  }

  arm(armed: boolean): void {
    this.turn.plan(this.choice.arm(this.turn.draft, armed))
  }

  pass(): void {
    const { turn, choice } = this
    const next = { ...fresh(null), armed: turn.draft.armed, pass: true }
    turn.propose(next, say('web.nextstation.heard_pass'))
    if (choice.stuck || turn.source.kind === 'paper' || settings.confirm === 'never') this.send()
  }

  private drafted(next: Draft): void {
    const { turn, choice } = this
    const move = choice.text(next)
    turn.propose(
      next,
      say('web.nextstation.heard_draft', { move: moveName(move ?? moveText(next)) }),
    )
    if (turn.atOnce && choice.whole(next)) this.send()
  }

  /** Whether the page asks about the power that is armed and that the move does not use. */
  get asking(): boolean {
    return this.asked === this.turn.moment
  }

  /** Sends the drafted move; asks first if an armed power would stay unused. */
  send(sure = false): void {
    const { extra, move, turn } = this
    const parts = parseMove(move)
    const unused = extra?.kind === 'power' && turn.draft.armed && parts && !usesExtra(parts)
    this.asked = unused && !sure ? turn.moment : ''
    if (!this.asked) void turn.send(move)
  }

  /** The player thinks again. */
  stay(): void {
    this.asked = ''
  }

  private explain(station: string, move: string): void {
    void this.turn.explain({ ...this.turn.draft, from: null, target: null }, move, station)
  }

  /** The move that somebody seems to have meant by a station, for the server to say why not. */
  private meant(station: string, from: string | null): string | null {
    const { choice, city, sheet } = this
    const { draft, view } = this.turn
    const armed = Object.keys(sheet.starts).find((way) => way !== '') ?? ''
    const way = (draft.armed ? armed : '') as Way
    const ahead = choice.tracks(draft).map((track) => track.from)
    const starts = from ? [from] : [...(sheet.starts[way] ?? []), ...ahead]
    const far = (start: string) => {
      const [p, q] = [city.station.get(start)!, city.station.get(station)!]
      return Math.hypot(p.x - q.x, p.y - q.y) + (city.index(start, station) === undefined ? 100 : 0)
    }
    const others = starts.filter((start) => start !== station)
    const start = others.sort((a, b) => far(a) - far(b))[0]
    if (!start) return null
    const track = [start, station] as const
    if (choice.goesOn(draft)) return moveText({ ...draft, second: track, circle: null })
    const i = city.index(...track)
    const beside =
      i !== undefined &&
      [city.loop, ...this.lines.map((line) => line.sections)].some((line) => line.includes(i))
    const double = view.double_tracks.includes(way) && beside
    return moveText({ way, double, section: track, second: null, circle: null })
  }
}
