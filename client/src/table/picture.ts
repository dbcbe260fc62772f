/** The picture of a table that a player keeps or shares. */

import { settings } from '../shell/settings.svelte'

const WIDTH_PX = 1400

/** The address of the picture as a seat sees the table, in the colours of the page. */
export function pictureOf(table: string, seat: number): string {
  const dark =
    settings.theme === 'auto'
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : settings.theme === 'dark'
  const query = new URLSearchParams({
    seat: `${Math.max(seat, 0)}`,
    theme: dark ? 'dark' : 'light',
    lang: settings.lang,
    width: `${WIDTH_PX}`,
  })
  return `/api/tables/${table}/picture.png?${query}`
}
