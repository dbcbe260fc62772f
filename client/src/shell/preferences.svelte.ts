/** What a player prefers; kept in this browser. */

import { lasting } from './storage'

export type Confirm = 'always' | 'touch' | 'never'

const KEY = 'headway-settings'

export interface Settings {
  lang: string
  theme: 'auto' | 'light' | 'dark'
  sound: boolean
  confirm: Confirm
  /** Whether open sheets on one screen stay covered until the next player takes over. */
  curtain: boolean
  /** Where boards name their stations: on wide screens alone, always, never. */
  coordinates: 'wide' | 'always' | 'never'
  /** Whether things move as the system says, or never. */
  motion: 'auto' | 'off'
  /** A board on a small screen: all of it, or near what the player needs. */
  board: 'whole' | 'near'
  /** The game of the puzzles, empty for all; undefined for the game last played. */
  practice?: string
}

/** The language of the page as it came: the server's best for what the browser asks for. */
export const ownLanguage = document.documentElement.lang

const kept = () => lasting.readJson(KEY) as Partial<Settings> | null

function read(): Settings {
  const plain: Settings = {
    lang: ownLanguage,
    theme: 'auto',
    sound: false,
    confirm: 'always',
    curtain: true,
    coordinates: 'wide',
    motion: 'auto',
    board: 'whole',
  }
  return { ...plain, ...kept() }
}

export const settings: Settings = $state(read())

/** Changes settings and keeps them; those never touched go on following the browser. */
export function prefer(change: Partial<Settings>): void {
  Object.assign(settings, change)
  lasting.writeJson(KEY, { ...kept(), ...change })
}

/** Whether nothing should move by itself. */
export const still = (): boolean =>
  settings.motion === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches
