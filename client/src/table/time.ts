/** A time that is left, in words. */

import { settings } from '../shell/preferences.svelte'
import { say } from '../shell/texts.svelte'
import { reading } from './clock'

export function timeText(left: number): string {
  const { unit, whole, part } = reading(left)
  if (unit === 'seconds')
    return (whole + part / 10).toLocaleString(settings.lang, { minimumFractionDigits: 1 })
  if (unit === 'minutes') return `${whole}:${`${part}`.padStart(2, '0')}`
  return say(`web.time.${unit}`, { whole, part })
}
