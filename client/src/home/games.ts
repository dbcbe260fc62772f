/** A guest's games, sorted: whose turn it is, what is over, what was left behind. */

import type { ListedTable, TableView } from '../api/schema'

export const SECTIONS = ['running', 'finished', 'abandoned'] as const
export type Section = (typeof SECTIONS)[number]

/** A game that nobody touched for so long counts as abandoned, unless it is a game of days. */
export const ABANDONED_SECONDS = 7 * 86_400

const mySeats = (table: ListedTable) => table.seats.filter((seat) => seat.mine)

/** Whether the table waits for me: to move, or to say that I am ready. */
export const isMyTurn = (table: ListedTable): boolean =>
  !table.finished && mySeats(table).some(({ seat }) => table.progress?.actors?.includes(seat))

/** When my time is over, in seconds since 1970; null where no clock of mine runs. */
export function myDeadline(table: ListedTable): number | null {
  const ends = mySeats(table).flatMap(({ seat }) => table.progress?.ends?.[`${seat}`] ?? [])
  return ends.length ? Math.min(...ends) : null
}

export function sectionOf(table: ListedTable, at: number): Section {
  if (table.finished) return 'finished'
  if (!mySeats(table).length) return 'abandoned' // a bot plays for me
  const patient = table.clock.kind === 'days'
  return !patient && at - table.changed > ABANDONED_SECONDS ? 'abandoned' : 'running'
}

/** The games of a section: my turn first, of those the one with the least time. */
export function sorted(tables: ListedTable[], section: Section, at: number): ListedTable[] {
  const rank = (table: ListedTable) => Number(!isMyTurn(table))
  const end = (table: ListedTable) => myDeadline(table) ?? Infinity
  const soonest = (a: ListedTable, b: ListedTable) =>
    end(a) < end(b) ? -1 : Number(end(a) > end(b))
  return tables
    .filter((table) => sectionOf(table, at) === section)
    .toSorted((a, b) => rank(a) - rank(b) || soonest(a, b) || b.changed - a.changed)
}

/** How a finished game ended for me; null for a game alone, or for several of us. */
export function resultOf(table: ListedTable): 'won' | 'lost' | 'shared' | null {
  const [me, another] = mySeats(table)
  const winners = table.progress?.winners ?? []
  if (!me || another || table.seats.length === 1 || !winners.length) return null
  if (!winners.includes(me.seat)) return 'lost'
  return winners.length > 1 ? 'shared' : 'won'
}

const totalsOf = (table: ListedTable) => table.progress?.totals ?? []

/** What I see of a table; sheets that several share one screen for stay covered. */
export function viewOf(table: TableView): unknown {
  const [me, another] = table.seats.filter((seat) => seat.mine)
  if (another) throw new Error(table.id)
  return table.views[`${me?.seat}`] ?? Object.values(table.views)[0]
}

/** My score in a game; with opponents, also that of the best of them. */
export function standingOf(table: ListedTable, totals: readonly number[] = totalsOf(table)) {
  const [me, another] = mySeats(table)
  const total = me && totals[me.seat]
  if (total === undefined || another) return null
  if (totals.length === 1) return total > 0 ? { key: 'points', mine: total, other: 0 } : null
  const other = Math.max(...totals.filter((_, seat) => seat !== me!.seat))
  const key = total > other ? 'ahead' : total < other ? 'behind' : 'level'
  return { key, mine: total, other }
}

/** My best game alone on a map; null if these have none. */
export function bestOn(tables: ListedTable[], game: string, map: string): number | null {
  const totals = tables
    .filter((table) => table.finished && table.game === game && table.map === map)
    .flatMap((table) => (table.seats.length === 1 ? totalsOf(table) : []))
  return totals.length ? Math.max(...totals) : null
}

/** Whether other people play there, so that leaving concerns them. */
export const hasOthers = (table: ListedTable): boolean =>
  table.seats.some((seat) => !seat.mine && seat.kind === 'person')
