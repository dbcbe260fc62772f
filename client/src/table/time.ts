/** Times that are left, as texts. */

import { settings } from '../shell/preferences.svelte'
import { say } from '../shell/texts.svelte'
import { reading } from './clock'

/** What a clock shows. */
export function timeText(left: number): string {
  const { unit, whole, part } = reading(left)
  if (unit === 'seconds')
    return (whole + part / 10).toLocaleString(settings.lang, { minimumFractionDigits: 1 })
  if (unit === 'minutes') return `${whole}:${`${part}`.padStart(2, '0')}`
  return say(`web.time.${unit}`, { whole, part })
}

/** What stands at a ring, in as few letters as possible: `42`, `4:05`, `3 h`. */
export function ringText(left: number): string {
  const { unit, whole } = reading(left)
  if (unit === 'hours' || unit === 'days') return say(`web.time.few.${unit}`, { whole })
  return left < 60 ? `${Math.floor(left)}` : timeText(left)
}

/** How long something has lasted: `0:20`. */
export const elapsedText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, '0')}`

/** What a list says: whole seconds, because nobody watches it run. */
export function leftText(seconds: number): string {
  const left = Math.max(0, seconds)
  const { unit, whole } = reading(left)
  const time = unit === 'seconds' ? say('web.time.seconds', { whole }) : timeText(left)
  return say('web.left_time', { time })
}
