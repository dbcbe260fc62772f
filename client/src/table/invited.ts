/** Whose invitation somebody has put off to learn the game first; kept while the window is open. */

import { passing } from '../shell/storage'

export const INVITED = 'headway-invited'

export interface PutOff {
  table: string
  host: string
}

/** The invitation that waits until I have learned the game; null if there is none. */
export const putOff = (): PutOff | null => passing.readJson(INVITED) as PutOff | null
