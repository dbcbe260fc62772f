/** The pictures of a table that a player keeps or shares. */

import { addressOf } from '../shell/folder'
import { settings } from '../shell/preferences.svelte'
import { dark } from '../shell/screen.svelte'

const WIDTH_PX = 1400

/** The address of the picture as a seat sees the table, in the colours of the page. */
export const pictureOf = (table: string, seat: number, width = WIDTH_PX): string =>
  address(table, 'picture.png', { seat: `${Math.max(seat, 0)}`, width: `${width}` })

/** The address of the poster of a finished game, for a seat; 4:5 or 1:1. */
export const posterOf = (
  table: string,
  seat: number,
  shape: 'portrait' | 'square' = 'portrait',
): string => address(table, 'poster.png', { seat: `${Math.max(seat, 0)}`, shape })

function address(table: string, picture: string, choices: Record<string, string>): string {
  const query = new URLSearchParams({
    theme: dark() ? 'dark' : 'light',
    lang: settings.lang,
    width: `${WIDTH_PX}`,
    ...choices,
  })
  return addressOf(`/api/tables/${table}/${picture}?${query}`)
}

/** Whether the system has a way to share things. */
export const canShare = typeof navigator.share === 'function'

/** Offers a picture to the system to share; its page where pictures cannot be. */
export async function share(picture: string, name: string): Promise<void> {
  const image = await (await fetch(picture)).blob()
  const file = new File([image], `${name}.png`, { type: 'image/png' })
  const data: ShareData = { files: [file], title: 'Headway' }
  await navigator
    .share(navigator.canShare?.(data) ? data : { url: location.href, title: 'Headway' })
    .catch(() => undefined)
}
