/** What is agreed at a table, as texts: its clock, its modules, what the host chose. */

import type { Choice, Clock, GameHead, TableView } from '../api/schema'
import { hasText, say } from '../shell/texts.svelte'

/** What both a table and a table in a list tell. */
export type Agreed = Pick<
  TableView,
  'game' | 'map' | 'options' | 'clock' | 'training' | 'chat' | 'chosen' | 'seats'
>

export const clockText = (clock: Clock): string =>
  // The server leaves out what is as usual, also the kind of no clock.
  say(`web.clock.${(clock.kind as Clock['kind'] | undefined) ?? 'none'}`, {
    seconds: clock.seconds,
    days: clock.days,
    minutes: (clock.seconds ?? 0) / 60,
    increment: clock.increment,
  })

/** What a map is about or how long it takes, else its game; empty where the catalogue says none. */
export function coverText(game: string, map: string, what: 'what' | 'minutes'): string {
  const box = game.replace(/[^a-z]/g, '')
  const key = [`web.cover.${box}_${map}.${what}`, `web.cover.${box}.${what}`].find(hasText)
  return key ? say(key) : ''
}

export const moduleNames = (table: Pick<TableView, 'options'>): string[] =>
  Object.entries(table.options).flatMap(([name, on]) =>
    on ? [say(`web.option.${name}.title`)] : [],
  )

/** What can be chosen at a table like this one. */
export const choicesOf = (
  game: GameHead | undefined,
  { map, seats }: Pick<TableView, 'map' | 'seats'>,
): Choice[] => game?.maps.find(({ name }) => name === map)?.choices[`${seats.length}`] ?? []

/** What each seat has of a choice that every seat makes for itself. */
export const ofSeats = (choice: Choice, chosen: Record<string, unknown>): unknown[] =>
  (chosen[choice.name] as unknown[] | undefined) ?? []

/** A value of a choice, with the names of the seats that it is about. */
export function valueText(
  choice: Choice,
  value: unknown,
  nameOf: (seat: number) => string,
): string {
  const allowed = choice.values.find((option) => option.value === value)
  if (!allowed) return say(choice.default ?? 'choice.random')
  const [a, b] = (allowed.seats ?? []).map(nameOf)
  return say(allowed.key, { a, b })
}

/** Everything that the host chose: a title, and what it is. */
export function chosenTexts(
  choices: Choice[],
  chosen: Record<string, unknown>,
  nameOf: (seat: number) => string,
): { title: string; text: string }[] {
  return choices.flatMap((choice) => {
    const value = chosen[choice.name]
    if (value === undefined) return []
    const textOf = (one: unknown) => valueText(choice, one, nameOf)
    const ofSeat = (one: unknown, seat: number) =>
      one === null ? '' : say('choice.of', { name: nameOf(seat), value: textOf(one) })
    const text = Array.isArray(value) ? value.map(ofSeat).filter(Boolean).join(', ') : textOf(value)
    return text ? [{ title: say(`choice.${choice.name}`), text }] : []
  })
}
