/** What the screen has room for now. */

import { MediaQuery } from 'svelte/reactivity'
import { screens } from './screens'

export const stacked = new MediaQuery(screens.stacked)
export const flat = new MediaQuery(screens.flat)
export const roomy = new MediaQuery(screens.roomy)
export const wide = new MediaQuery(screens.wide)
