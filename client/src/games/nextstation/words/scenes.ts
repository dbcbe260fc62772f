/** What a turn brings, told in order: the ink first, then the score and the next card. */

import type { TableView } from '../../../api/schema'
import type { Scene, Step, Story } from '../../../table/timeline.svelte'
import type { View } from '../types'

const INK_MS = 420

type Views = Record<string, View>
const viewsOf = (table: TableView) => table.views as unknown as Views

/** Everybody moves at once: a turn that is over is one scene. */
function scenes(before: TableView, after: TableView): Scene<Step>[] {
  const last = (before.log.at(-1)?.number ?? -1) + 1
  const line = after.log.find((each) => each.number >= last && each.seat >= 0)
  const [was, now] = [Object.values(viewsOf(before))[0], Object.values(viewsOf(after))[0]]
  const over = was && now && (was.turn !== now.turn || was.round !== now.round || now.finished)
  if (!line || !over || !was.card) return []
  return [
    { number: line.number, seat: line.seat, steps: [{ ms: INK_MS, table: inked(before, after) }] },
  ]
}

/** The table with the new lines in ink; the score and the card are as before, and nobody acts. */
function inked(before: TableView, after: TableView): TableView {
  const views = Object.entries(viewsOf(before)).map(([seat, view]) => {
    const now = viewsOf(after)[seat]
    if (!now) return [seat, view]
    const sheets = view.sheets.map((sheet, who) => ({ ...now.sheets[who]!, score: sheet.score }))
    return [seat, { ...view, sheets, actors: [], own_move: null, moved: now.moved.map(() => true) }]
  })
  return {
    ...before,
    views: Object.fromEntries(views) as TableView['views'],
    legal: {},
    can_undo: {},
  }
}

export const STORY: Story<Step> = {
  scenes,
  rewind: (table, number) => ({
    ...table,
    log: table.log.filter((line) => line.number < number),
    legal: {},
  }),
}
