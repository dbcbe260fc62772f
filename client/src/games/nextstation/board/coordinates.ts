/** Whether boards name their rows and columns, and the stations that a sentence names. */

import { wide } from '../../../shell/screen.svelte'
import { settings } from '../../../shell/preferences.svelte'
import type { City } from './city'

export const named = (): boolean =>
  settings.coordinates === 'always' || (settings.coordinates === 'wide' && wide.current)

/** The stations that a text mentions, each once. */
export const mentioned = (city: City, text: string): string[] =>
  [...new Set(text.match(/\b[a-z][0-9]\b/g))].filter((name) => city.station.has(name))
