/** Things of the game in words, from the catalogue. */

import { inLanguage, say } from '../../../shell/texts.svelte'
import type { City } from '../board/city'
import { parseMove } from '../turn/notation'

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
export function objectiveName(city: City, id: string): string {
  const { needs, needed, district: index } = city.data.objectives.find((data) => data.id === id)!
  const district = city.data.districts[index]
  return say(`objective.${needs}`, {
    needed,
    district: district ? inLanguage(district.name) : '',
    river: inLanguage(city.data.river_name),
  })
}

/** A move as a noun: "d2–a2, then a2–c4", "passing". */
export const actName = (text: string): string => moveName(text, say('web.nextstation.move.passing'))

/** A move in words: "d2–a2, then a2–c4", "pass". */
export function moveName(text: string, pass = say('web.nextstation.move.pass')): string {
  const move = parseMove(text)
  if (!move) return text
  const way = move.way === '~' ? '' : move.way ? say(`power.${move.way.slice(1)}`) : ''
  return [
    way,
    move.section ? move.section.join('–') : pass,
    move.double ? say('web.nextstation.move.double') : '',
    move.second ? say('web.nextstation.move.second', { section: move.second.join('–') }) : '',
    move.circle ? say('web.nextstation.move.circle', { station: move.circle }) : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** What was dealt in words: "Street, circle", "Objectives: All 13 districts, 8 interchanges". */
export function dealName(city: City, text: string): string {
  const [kind, ...parts] = text.split(' ')
  const colours = (row: string) =>
    row
      .split(' ')
      .map((colour) => say(`colour.${colour}`))
      .join(', ')
  if (kind === 'pencils') {
    const rows = parts.join(' ').split(' / ').map(colours)
    return say('web.nextstation.log.pencils', { pencils: rows.join(' / ') })
  }
  if (kind === 'objectives') {
    const names = parts.map((id) => objectiveName(city, id))
    return say('web.nextstation.log.objectives', { objectives: names.join(', ') })
  }
  if (kind === 'powers') {
    const powers = parts.map((part) => part.split(':'))
    const names = powers.map(([colour, power]) =>
      say('web.nextstation.log.power', { colour: colour!, power: power! }),
    )
    return names.join(', ')
  }
  if (kind === 'special') {
    const [symbol, effect] = [say(`symbol.${parts[0]}`), say(`effect.${parts[1]}`)]
    return say('web.nextstation.log.special', { symbol, effect })
  }
  return cardName(parts[0]!)
}
