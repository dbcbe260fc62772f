/** A review in words, from the catalogue. */

import type { Mean, GameReplay, SeatReview, Turn } from '../api/schema'
import type { ReviewParts } from '../games/registry'
import { locale, say } from '../shell/texts.svelte'
import { tenths } from './figures'

type Measure = SeatReview['measure']

/** A value given in tenths, as the language writes it: "154.3", "+3.2", "−12%". */
export function figure(value: number, measure: Measure, signed = false, whole = false): string {
  const digits = whole && value % 10 === 0 ? 0 : 1
  const victory = measure === 'victory'
  const text = new Intl.NumberFormat(locale(), {
    style: victory ? 'percent' : 'decimal',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(Math.abs(value) / (victory ? 1000 : 10))
  return `${value < 0 ? '−' : signed && value > 0 ? '+' : ''}${text}`
}

/** A value of the report, given in thousandths. */
export const value = (thousandths: number, measure: Measure, signed = false): string =>
  figure(tenths(thousandths), measure, signed)

/** Where in the game a turn is. */
export function placeName(turn: Turn, replay: GameReplay | undefined): string {
  if (turn.round != null) {
    const round = say('place.round', { n: turn.round })
    return turn.turn ? `${round}, ${say('place.turn', { n: turn.turn })}` : round
  }
  const line = replay?.log.find(({ number }) => number === turn.number)
  return line ? say('place.turn', { n: line.turn + 1 }) : say('web.review.end')
}

/** A part of the score by its name in reports, for a seat that saw this view. */
export const partName = (parts: ReviewParts, view: unknown, part: string): string =>
  parts.partName?.(view, part) ?? say(`review.part.${part}`)

/** A kind of decision by its name in figures: `start`, `round:2`. */
export function kindName(name: string): string {
  const [kind, n] = name.split(':')
  return say(`review.kind.${kind}`, { n: n ?? '' })
}

/** A small value of the report with another decimal: "0.42", "1.3%". */
export function finely(thousandths: number, measure: Measure): string {
  const victory = measure === 'victory'
  const digits = victory ? 1 : 2
  return new Intl.NumberFormat(locale(), {
    style: victory ? 'percent' : 'decimal',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(thousandths / (victory ? 100_000 : 1000))
}

/** A mean with its error, if it has one: "12.3 ± 1.4". */
export const within = (of: Mean, measure: Measure, written = value, error = written): string =>
  of.error == null
    ? written(of.mean, measure)
    : say('web.skill.within', {
        mean: written(of.mean, measure),
        error: error(of.error, measure),
      })

/** About how much a chance changes, in points of a hundred: "10", or "0.8" if it is little. */
export function chancePoints(thousandths: number): string {
  const rounded = tenths(Math.abs(thousandths))
  return rounded < 20 ? figure(rounded, 'points') : `${Math.round(rounded / 10)}`
}

/** What a move costs, as a text for this measure says it. */
export function lossText(
  key: string,
  move: string,
  turn: Pick<Turn, 'loss' | 'error'>,
  measure: Measure,
): string {
  const error = tenths(turn.error ?? 0) ? turn.error! : null
  const loss =
    measure === 'victory' ? chancePoints(turn.loss) : within({ mean: turn.loss, error }, measure)
  return say(key, { move, loss })
}
