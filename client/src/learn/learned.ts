/** What somebody has learned at this browser, and the lesson that is going on; kept in it. */

import { beginning, type Place } from './lesson'

const KEY = 'headway-lessons'

interface Kept {
  /** Somebody has sat at a table here. */
  seen: boolean
  /** Maps whose first game was gone through or skipped: `next-station/london`. */
  done: string[]
  /** The table of the lesson that is going on. */
  table: { id: string; place: Place } | null
}

function read(): Kept {
  const plain: Kept = { seen: false, done: [], table: null }
  try {
    return { ...plain, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) }
  } catch {
    return plain // storage is forbidden, or somebody wrote nonsense into it
  }
}

let kept = read()

function keep(change: Partial<Kept>): void {
  kept = { ...read(), ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Storage is full or forbidden: the lesson works without it.
  }
}

/** Whether nobody has played here yet. */
export const isNew = (): boolean => !kept.seen && !kept.done.length

/** Somebody sits at a table. */
export function seen(): void {
  if (!kept.seen) keep({ seen: true })
}

/** How far the lesson at a table has come; null if there is none. */
export const lessonAt = (id: string): Place | null =>
  kept.table?.id === id ? { ...beginning, ...kept.table.place } : null

export const follow = (id: string, place: Place): void => keep({ table: { id, place } })

/** A lesson has come to its end, or was left. */
export function finish(game: string, map: string): void {
  const name = `${game}/${map}`
  keep({ table: null, done: [...kept.done.filter((other) => other !== name), name] })
}

export const hasLearned = (game: string, map: string): boolean =>
  kept.done.includes(`${game}/${map}`)
