/** What the screen has room for now. */

import { MediaQuery } from 'svelte/reactivity'
import { settings } from './preferences.svelte'
import { screens } from './screens'

export const stacked = new MediaQuery(screens.stacked)
export const flat = new MediaQuery(screens.flat)
export const roomy = new MediaQuery(screens.roomy)
export const wide = new MediaQuery(screens.wide)

const night = new MediaQuery('(prefers-color-scheme: dark)')

/** Whether the page is dark: as the player wants it, else as the system is. */
export const dark = (): boolean =>
  settings.theme === 'auto' ? night.current : settings.theme === 'dark'
