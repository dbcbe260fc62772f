/** A review in words, from the catalogue. */

import type { Mean, GameReplay, SeatReview, Turn } from '../api/schema'
import type { ReviewParts } from '../games/registry'
import { listed, locale, say } from '../shell/texts.svelte'
import { type Part, tenths, wholes, wholeSum } from './figures'
import type { Seen } from './reviewing.svelte'

/** What a review counts: points, or the chance to win. */
export type Measure = SeatReview['measure']

/** Writes points, or a hundred of them as a chance, with a number of decimals. */
function written(points: number, measure: Measure, digits: number): string {
  const victory = measure === 'victory'
  return new Intl.NumberFormat(locale(), {
    style: victory ? 'percent' : 'decimal',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(victory ? points / 100 : points)
}

/** A value given in tenths, as the language writes it: "154.3", "+3.2", "−12%". */
export function figure(value: number, measure: Measure, signed = false, whole = false): string {
  const text = written(Math.abs(value) / 10, measure, whole && value % 10 === 0 ? 0 : 1)
  return `${value < 0 ? '−' : signed && value > 0 ? '+' : ''}${text}`
}

/** A value of the report, given in thousandths. */
export const value = (thousandths: number, measure: Measure, signed = false): string =>
  figure(tenths(thousandths), measure, signed)

/** A figure in whole units: "154", "+3", "−12%". */
export const whole = (units: number, measure: Measure, signed = false): string =>
  figure(10 * units, measure, signed, true)

/** What a better move is worth more, given in thousandths: "+5"; nothing below one. */
export const gain = (loss: number, measure: Measure): string =>
  wholes(loss) ? whole(wholes(loss), measure, true) : ''

/** The text that names a part of a sum. */
export const nameOfPart = (part: Part, measure: Measure): string =>
  `web.review.part.${part === 'start' && measure === 'victory' ? 'chance' : part}`

/** What a review says first, in whole numbers. */
export interface Lead {
  sentence: string
  level: string
  cards: string
}

/** The first lines about a seat; `name` is empty for one's own. */
export function leadOf(seat: SeatReview, name: string): Lead {
  const { measure, turns, turning } = seat
  const sum = wholeSum(seat)
  const whose = name ? '_of' : ''
  const unit = (n: number) =>
    measure === 'points' ? say('web.points', { points: n }) : whole(n, measure)
  const luck = sum.luck > 0 ? 'gave' : sum.luck < 0 ? 'cost' : 'even'
  const cards = say(`web.review.lead.cards_${luck}${whose}`, {
    name,
    amount: unit(Math.abs(sum.luck)),
  })
  if (seat.rough) {
    const sure = turns.filter(({ mark }) => mark).length
    const key = sure ? `web.review.lead.marks${whose}` : `web.review.lead.no_marks${whose}`
    return { sentence: say(key, { n: sure, name }), level: '', cards }
  }
  const level = say('web.review.lead.level', { level: say(`bot.title.${seat.level}`) })
  const lost = -sum.loss
  if (lost <= 0) return { sentence: say(`web.review.lead.nothing${whose}`, { name }), level, cards }
  const part = wholes(turning.reduce((all, i) => all + turns[i]!.loss, 0))
  const key = part >= lost ? 'all' : 'part'
  const n = turning.length
  const sentence = say(`web.review.lead.${key}${whose}`, {
    n,
    name,
    amount: unit(lost),
    part: measure === 'points' ? `${part}` : whole(part, measure),
  })
  return { sentence, level, cards }
}

/** Where in the game a turn is. */
function placeName(turn: Turn, replay: GameReplay): string {
  if (turn.round != null) {
    const round = say('place.round', { n: turn.round })
    return turn.turn ? `${round}, ${say('place.turn', { n: turn.turn })}` : round
  }
  const line = replay.log.find(({ number }) => number === turn.number)
  return line ? say('place.turn', { n: line.turn + 1 }) : say('web.review.end')
}

/** A turn of a report, and what there is to say of it. */
export class Told {
  constructor(
    readonly turn: Turn,
    readonly measure: Measure,
    private readonly game: Seen,
    private readonly parts: ReviewParts,
  ) {}

  /** What the seat saw. */
  get view(): unknown {
    const { past } = this.game
    return past[Math.max(0, this.parts.momentOf(this.turn, past))]!.view
  }
  get place(): string {
    return placeName(this.turn, this.game.replay)
  }
  /** What was dealt; empty for nothing. */
  get dealt(): string {
    return this.turn.dealt == null ? '' : this.parts.dealtName(this.turn.dealt)
  }
  /** The place and what was dealt there. */
  get where(): string {
    return [this.place, this.dealt].filter(Boolean).join(' · ')
  }
  /** What the move that was played gave away, in whole units. */
  get lost(): string {
    const loss = wholes(this.turn.loss)
    return say(loss ? `web.review.cost_${this.measure}` : 'web.review.cost_little', { loss })
  }
  /** The parts of the score that it cost, where the figures show it. */
  get title(): string {
    const cost = reasonsOf(this.turn).filter(({ points }) => points < 0)
    if (!cost.length) return this.lost
    const names = cost.slice(0, 2).map(({ part }) => this.part(part))
    return say('web.review.cost_parts', { parts: listed(names) })
  }
  /** Both moves by their names, as small print. */
  get moves(): string {
    const { played, best } = this.turn
    if (!played || !best || played === best) return played ? this.move(played) : ''
    return say('web.review.both', { played: this.move(played), best: this.move(best) })
  }
  /** A move by its name. */
  move = (text: string): string => this.parts.moveName(this.view, text)
  /** A part of the score by its name. */
  part = (name: string): string => partName(this.parts, this.view, name)
}

/** The parts of the score that surely differ: beyond twice their error. */
export const reasonsOf = (turn: Pick<Turn, 'why'>): NonNullable<Turn['why']> =>
  (turn.why ?? []).filter(({ points, error }) => Math.abs(points) > 2 * error)

/** A part of the score by its name in reports, for a seat that saw this view. */
export const partName = (parts: ReviewParts, view: unknown, part: string): string =>
  parts.partName?.(view, part) ?? say(`review.part.${part}`)

/** A kind of decision by its name in figures: `start`, `round:2`. */
export function kindName(name: string): string {
  const [kind, n] = name.split(':')
  return say(`review.kind.${kind}`, { n: n ?? '' })
}

/** A small value of the report with another decimal: "0.42", "1.3%". */
export const finely = (thousandths: number, measure: Measure): string =>
  written(thousandths / 1000, measure, measure === 'victory' ? 1 : 2)

/** A mean with its error, if it has one: "12.3 ± 1.4". */
export const within = (of: Mean, measure: Measure, written = value, error = written): string =>
  of.error == null
    ? written(of.mean, measure)
    : say('web.skill.within', {
        mean: written(of.mean, measure),
        error: error(of.error, measure),
      })
