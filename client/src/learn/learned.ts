/** What somebody has learned at this browser, and the lesson that is going on; kept in it. */

import { lasting } from '../shell/storage'
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
  return { ...plain, ...(lasting.readJson(KEY) as Partial<Kept> | null) }
}

let kept = read()

function keep(change: Partial<Kept>): void {
  kept = { ...read(), ...change }
  lasting.writeJson(KEY, kept)
}

/** Whether nobody has played here yet. */
export const isNewcomer = (): boolean => !kept.seen && !kept.done.length

/** Somebody sits at a table. */
export function seen(): void {
  if (!kept.seen) keep({ seen: true })
}

/** How far the lesson at a table has come; null if there is none. */
export const lessonAt = (id: string): Place | null =>
  kept.table?.id === id ? { ...beginning, ...kept.table.place } : null

/** Keeps how far the lesson at a table has come. */
export const keepLesson = (id: string, place: Place): void => keep({ table: { id, place } })

/** A lesson has come to its end, or was left. */
export function finish(game: string, map: string): void {
  const name = `${game}/${map}`
  keep({ table: null, done: [...kept.done.filter((other) => other !== name), name] })
}

export const hasLearned = (game: string, map: string): boolean =>
  kept.done.includes(`${game}/${map}`)
