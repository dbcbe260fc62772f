/** How many puzzles in a row were solved in this browser. */

import { lasting } from '../shell/storage'

const KEY = 'headway-practice-row'

export const rowNow = (): number => Number(lasting.read(KEY)) || 0

/** Counts an answer; returns the new number. */
export function rowAfter(solved: boolean): number {
  const row = solved ? rowNow() + 1 : 0
  lasting.write(KEY, `${row}`)
  return row
}
