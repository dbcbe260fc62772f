/** Whose invitation somebody has put off to learn the game first; kept while the window is open. */

import { passing } from '../shell/storage'

const INVITED = 'headway-invited'

export interface PutOff {
  table: string
  host: string
}

/** Says that I am at a table: its invitation waits no longer. */
export const arrivedAt = (table: string): void => {
  if (putOff()?.table === table) passing.remove(INVITED)
}

/** Notes that I learn the game first, and come to the table then. */
export const putOffTo = (waiting: PutOff): boolean => passing.writeJson(INVITED, waiting)

/** The invitation that waits until I have learned the game; null if there is none. */
export const putOff = (): PutOff | null => passing.readJson(INVITED) as PutOff | null

let watched = ''
/** Notes that I come to a table only to watch: it need not invite me first. */
export const watchOnly = (table: string): void => void (watched = table)
export const watchesOnly = (table: string): boolean => watched === table
