/** What the screen has room for now, and how things are to look there. */

import { MediaQuery } from 'svelte/reactivity'
import { settings } from './preferences.svelte'
import { screens } from './screens'

export const stacked = new MediaQuery(screens.stacked)
export const flat = new MediaQuery(screens.flat)
export const roomy = new MediaQuery(screens.roomy)
export const wide = new MediaQuery(screens.wide)
/** Whether a phone shows a board: what stands beside it has no room for headings. */
export const compact = (): boolean => stacked.current || flat.current

const night = new MediaQuery('(prefers-color-scheme: dark)')
const calm = new MediaQuery('(prefers-reduced-motion: reduce)')

/** Whether the page is dark: as the player wants it, else as the system is. */
export const dark = (): boolean =>
  settings.theme === 'auto' ? night.current : settings.theme === 'dark'

/** Whether nothing should move by itself: as the player wants it, or as the system is. */
export const still = (): boolean => settings.motion === 'off' || calm.current
