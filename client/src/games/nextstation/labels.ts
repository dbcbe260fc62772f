/** Things of the game in words, from the catalogue. */

import { inLanguage, say } from '../../shell/texts.svelte'
import type { City } from './city'
import { parseMove } from './notation'

/** A card by name: "Street, circle". */
export function cardName(card: string): string {
  const [deck, symbol] = card.split(':')
  return `${say(`deck.${deck}`)}, ${say(`symbol.${symbol}`)}`
}

/** A station in words: "d2, triangle, north". */
export function stationName(city: City, name: string): string {
  const s = city.station.get(name)!
  const symbol = s.symbol === 'wild' ? say('web.nextstation.any_symbol') : say(`symbol.${s.symbol}`)
  return `${name}, ${symbol}, ${inLanguage(city.data.districts[s.district]!.name)}`
}

/** An objective in words: "All 13 districts". */
export function objectiveName(city: City, id: string, needed: number): string {
  const objective = city.data.objectives.find((data) => data.id === id)!
  const district = city.data.districts[objective.district]
  return say(`objective.${objective.needs}`, {
    needed,
    district: district ? inLanguage(district.name) : '',
  })
}

/** A move in words: "d2–a2, then a2–c4". */
export function moveName(text: string): string {
  const move = parseMove(text)
  if (!move) return text
  const way = move.way === '~' ? '' : move.way ? say(`power.${move.way.slice(1)}`) : ''
  return [
    way,
    move.section ? move.section.join('–') : say('web.pass').toLowerCase(),
    move.double ? say('web.nextstation.move.double') : '',
    move.second ? say('web.nextstation.move.second', { section: move.second.join('–') }) : '',
    move.circle ? say('web.nextstation.move.circle', { station: move.circle }) : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Names in a row: "Ada, Ben". */
export const listed = (names: string[]): string => names.join(', ')
