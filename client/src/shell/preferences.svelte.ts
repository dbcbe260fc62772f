/** What a player prefers; kept in this browser. */

import { lasting } from './storage'

export type Confirm = 'always' | 'touch' | 'never'

const KEY = 'headway-settings'

/** The language of the page as it came: the server's best for what the browser asks for. */
export const ownLanguage = document.documentElement.lang

/** What holds for a player who has chosen nothing. */
const PLAIN = {
  lang: ownLanguage,
  theme: 'auto' as 'auto' | 'light' | 'dark',
  volume: 'medium' as 'off' | 'low' | 'medium' | 'high',
  /** Whether a phone may vibrate. */
  vibration: true,
  confirm: 'always' as Confirm,
  /** Whether open sheets on one screen stay covered until the next player takes over. */
  curtain: true,
  /** Where boards name their stations: on wide screens alone, always, never. */
  coordinates: 'wide' as 'wide' | 'always' | 'never',
  /** Whether things move as the system says, or never. */
  motion: 'auto' as 'auto' | 'off',
}

export type Settings = typeof PLAIN & {
  /** The game of the puzzles, empty for all; undefined for the game last played. */
  practice?: string
}

const kept = () => lasting.readJson(KEY) as Partial<Settings> | null

export const settings: Settings = $state({ ...PLAIN, ...kept() })

/** Changes settings and keeps them; those never touched go on following the browser. */
export function prefer(change: Partial<Settings>): void {
  Object.assign(settings, change)
  lasting.writeJson(KEY, { ...kept(), ...change })
}
