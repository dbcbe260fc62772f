/** How somebody played on a map last, kept in this browser: the next game begins with that. */

import type { GameHead } from '../api/schema'
import { lasting } from '../shell/storage'

export const MODES = ['alone', 'bots', 'screen', 'friends'] as const
export type Mode = (typeof MODES)[number]

export interface Chosen {
  mode: Mode
  /** How many others there are. */
  others: number
  bot: string
  options: Record<string, boolean>
  /** The clock, by its key in the list of clocks. */
  clock: string
  training: boolean
  open: boolean
  /** Whether players may write to each other. */
  chat: boolean
  /** The names of those at one screen. */
  names: string[]
}

const KEY = 'headway-chosen'

interface Kept {
  /** By game and map: `next-station/london`. */
  maps: Record<string, Partial<Chosen>>
  /** The map that was played last. */
  last: string
}
const read = (): Kept => ({
  maps: {},
  last: '',
  ...(lasting.readJson(KEY) as Partial<Kept> | null),
})
const nameOf = (game: string, map: string) => `${game}/${map}`

/** What was chosen on a map last; null for a map that was never played here. */
export const lastChosen = (game: string, map: string): Partial<Chosen> | null =>
  read().maps[nameOf(game, map)] ?? null

/** Whether a map is the one that was played last. */
export const isLast = (game: string, map: string): boolean => read().last === nameOf(game, map)

export function remember(game: string, map: string, chosen: Chosen): void {
  const name = nameOf(game, map)
  lasting.writeJson(KEY, { maps: { ...read().maps, [name]: chosen }, last: name })
}

/** The ways to play a game: some are for several alone. */
export const modesOf = (game: GameHead): Mode[] =>
  MODES.filter((mode) => mode !== 'alone' || game.seats.min === 1)

/** What a new game begins with: what was chosen last, as far as the game still has it. */
export function beginning(game: GameHead, last: Partial<Chosen> | null, mode?: Mode): Chosen {
  const modes = modesOf(game)
  const plain: Chosen = {
    mode: modes[0]!,
    others: 1,
    bot: game.opponent,
    options: {},
    clock: 'none',
    training: false,
    open: false,
    chat: false,
    names: ['', '', '', ''],
  }
  const chosen = { ...plain, ...last, ...(mode && { mode }) }
  return {
    ...chosen,
    mode: modes.includes(chosen.mode) ? chosen.mode : plain.mode,
    others: Math.min(chosen.others, game.seats.max - 1),
    bot: game.bots.some(({ name }) => name === chosen.bot) ? chosen.bot : plain.bot,
    options: Object.fromEntries(game.options.map((name) => [name, !!chosen.options[name]])),
  }
}
