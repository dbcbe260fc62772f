/**
 * A move while it is being put together. The server lists the legal moves; everything here only
 * picks among them, so a draft can never become anything that the rules do not allow.
 */

import { moveText, type Pair, type Parts, parseMove, type Way } from './notation'

/** The power of the pencil or the effect of the special station that can be used now. */
export interface Extra {
  kind: 'power' | 'effect'
  name: string
}

/** A move, or what there is of it so far. */
export interface Draft extends Parts {
  /** Whether the power or the effect is in use. */
  armed: boolean
  /** The station tapped to draw from. */
  from: string | null
  /** The station tapped to draw to, while several ways lead there. */
  target: string | null
  /** Nothing is drawn, on purpose. */
  pass: boolean
}

/** A track that can be drawn next. */
export interface Track {
  from: string
  to: string
  double: boolean
  way: Way
}

/** What a tap on a station comes to. */
type Tap =
  | { kind: 'draft'; draft: Draft }
  | { kind: 'choose'; draft: Draft; sources: string[] }
  | { kind: 'from'; draft: Draft }
  | { kind: 'confirm' }
  | { kind: 'why'; move: string }
  | { kind: 'nothing' }

/** An empty draft. An effect costs nothing, so it is in use from the start; a power is not. */
export function fresh(extra: Extra | null): Draft {
  return {
    armed: extra?.kind === 'effect',
    from: null,
    target: null,
    pass: false,
    way: '',
    double: false,
    section: null,
    second: null,
    circle: null,
  }
}

/** Whether a draft has anything in it. */
export const begun = (draft: Draft): boolean =>
  !!(draft.section || draft.pass || draft.from || draft.circle || draft.target)

/** The legal moves of one turn, and what a draft can become by them. */
export class Choice {
  readonly moves: Parts[]
  private readonly texts: Set<string>
  /** How a section is drawn with the power, if the power is one for sections. */
  private readonly powered: Way | undefined

  constructor(
    legal: readonly string[],
    readonly extra: Extra | null,
  ) {
    this.texts = new Set(legal)
    this.moves = legal.map(parseMove).filter((move) => move !== null)
    this.powered = this.moves.find((move) => move.way.startsWith('!'))?.way
  }

  /** Whether passing is all that can be done with the bare card. */
  get stuck(): boolean {
    return this.moves.length > 0 && !this.moves.some((move) => move.section && !move.way)
  }

  /** Whether a drafted section may be followed by a second one. */
  goesOn(draft: Draft): boolean {
    return draft.armed && draft.section !== null && this.moves.some((move) => move.second)
  }

  /** The tracks that can be drawn next: first sections, or second ones where they are due. */
  tracks(draft: Draft): Track[] {
    if (this.secondDue(draft)) return this.seconds(draft)
    const tracks = new Map<string, Track>()
    for (const { section, way, double } of this.moves) {
      if (!section || !this.wayFits(draft, way)) continue
      const [from, to] = section
      if (tracks.get(from + to)?.way !== '') tracks.set(from + to, { from, to, double, way })
    }
    return [...tracks.values()]
  }

  /** The stations that can be circled now. */
  circles(draft: Draft): string[] {
    if (!draft.armed || draft.circle) return []
    return [...new Set(this.continuing(draft).flatMap((move) => move.circle ?? []))]
  }

  /** The drafted move; null while the draft is no move. */
  text(draft: Draft): string | null {
    if (!draft.section && !draft.pass && !draft.circle) return null
    const text = moveText(draft)
    return this.texts.has(text) ? text : null
  }

  /** Whether the draft is a move and nothing could be added to it. */
  whole(draft: Draft): boolean {
    if (!this.text(draft)) return false
    if (draft.pass) return true
    return !this.seconds(draft).length && !this.circles(draft).length
  }

  /** The draft with a track in it. */
  draw(draft: Draft, track: Track): Draft {
    if (this.secondDue(draft))
      return { ...draft, from: null, target: null, second: [track.from, track.to] }
    const { from, to, double, way } = track
    const drawn = { ...fresh(null), armed: draft.armed, way, double, section: [from, to] as const }
    return this.circledByEffect(drawn)
  }

  /** The draft with the power or effect taken up or laid down; what no longer fits goes. */
  arm(draft: Draft, armed: boolean): Draft {
    const next = { ...draft, armed, from: null, target: null, second: null, circle: null }
    if (next.section && !this.wayFits(next, next.way)) {
      const same = this.tracks({ ...next, section: null }).find(
        (track) => track.from === next.section![0] && track.to === next.section![1],
      )
      if (!same) return { ...fresh(null), armed }
      next.way = same.way
      next.double = same.double
    }
    return this.circledByEffect(next)
  }

  /** The tracks to choose from just now: all, or those to the station that was tapped. */
  open(draft: Draft): Track[] {
    const tracks = this.tracks(draft)
    return draft.target ? tracks.filter((track) => track.to === draft.target) : tracks
  }

  /** What a tap on a station means. `why` is the section that somebody seems to have meant. */
  tap(asked: Draft, station: string, meant: (from: string | null) => string | null): Tap {
    const answer = asked.target && this.open(asked).find((track) => track.from === station)
    if (answer) return { kind: 'draft', draft: this.draw(asked, answer) }
    const draft = { ...asked, target: null }
    const tracks = this.tracks(draft)
    const ways = tracks.filter((track) => track.to === station)
    const alone = draft.section === null
    if (this.circles(draft).includes(station) && !(alone && ways.length))
      return { kind: 'draft', draft: { ...draft, circle: station, pass: alone } }
    const chosen = draft.from ? ways.filter((track) => track.from === draft.from) : ways
    const last = draft.second?.[1] ?? draft.section?.[1]
    if (last === station && this.text(draft) && !chosen.some((t) => t.from !== draft.section?.[0]))
      return { kind: 'confirm' }
    if (chosen.length === 1) return { kind: 'draft', draft: this.draw(draft, chosen[0]!) }
    if (chosen.length > 1)
      return {
        kind: 'choose',
        draft: { ...draft, target: station },
        sources: chosen.map((track) => track.from),
      }
    if (station !== draft.from && tracks.some((track) => track.from === station))
      return { kind: 'from', draft: { ...draft, from: station } }
    if (station === draft.from) return { kind: 'from', draft: { ...draft, from: null } }
    const move = meant(draft.from)
    return move ? { kind: 'why', move } : { kind: 'nothing' }
  }

  private wayFits(draft: Draft, way: Way): boolean {
    if (!draft.armed) return way === ''
    // A power in use is meant to be used; an effect helps only where it is needed.
    return this.powered ? way === this.powered : true
  }

  /** Whether the next track is a second one. */
  secondDue(draft: Draft): boolean {
    return this.seconds(draft).length > 0
  }

  private seconds(draft: Draft): Track[] {
    if (!draft.armed || draft.second || !draft.section) return []
    const tracks = new Map<string, Track>()
    for (const { second } of this.continuing(draft))
      if (second)
        tracks.set(second.join(''), { from: second[0], to: second[1], double: false, way: '' })
    return [...tracks.values()]
  }

  /** The legal moves that have all of the draft and perhaps more. */
  private continuing(draft: Draft): Parts[] {
    return this.moves.filter(
      (move) =>
        move.way === draft.way &&
        move.double === draft.double &&
        same(move.section, draft.section) &&
        (!draft.second || same(move.second, draft.second)) &&
        (!draft.circle || move.circle === draft.circle),
    )
  }

  /** The special station's double counts the station just reached: there is nothing to choose. */
  private circledByEffect(draft: Draft): Draft {
    if (this.extra?.kind !== 'effect' || !draft.section) return draft
    const circles = this.circles(draft)
    return circles.length === 1 ? { ...draft, circle: circles[0]! } : draft
  }
}

function same(a: Pair | null, b: Pair | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1])
}
