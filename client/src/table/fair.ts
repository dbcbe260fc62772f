/** The promise of a fair deal: a hash before the first card, its seed and salt after the last. */

import type { TableView } from '../api/schema'
import { lasting } from '../shell/storage'

const KEY = 'headway-fair'

/** The commitment as this browser saw it first; a later one cannot replace it. */
export function firstSeen(table: string, commitment: string): string {
  const key = `${KEY} ${table}`
  const seen = lasting.read(key)
  if (seen === null) lasting.write(key, commitment)
  return seen ?? commitment
}

/** The text whose SHA-256 is the commitment; docs/records.md defines it. */
export const fairText = ({ seed, salt }: NonNullable<TableView['fair']>): string =>
  `headway-fair/1|${seed}|${salt}`

/** The SHA-256 of a text in hexadecimal digits; null where the browser does not allow it. */
export async function sha256(text: string): Promise<string | null> {
  // Browsers have it on secure pages only: https, or this machine.
  const subtle = (crypto as Partial<Crypto>).subtle
  if (!subtle) return null
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
