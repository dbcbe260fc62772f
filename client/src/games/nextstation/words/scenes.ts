/** What a turn brings, told in order: the ink, points that rise, the score and the next card. */

import type { LogLine, TableView } from '../../../api/schema'
import type { Scene, Step, Story } from '../../../table/timeline.svelte'
import { built } from '../ending/standing'
import { parseMove, sectionsOf } from '../turn/notation'
import type { View } from '../types'

/** A part of a scene; `gains` rise while it lasts. */
export type SheetStep = Step & { gains?: readonly Gain[] }

/** What a seat's move brought, and the station where what it drew ends. */
interface Gain {
  seat: number
  points: number
  station: string
}

const INK_MS = 420
const GAINS_MS = 500

type Views = Record<string, View>
const viewsOf = (table: TableView) => table.views as unknown as Views

/** Everybody moves at once: a turn that is over is one scene. */
function scenes(before: TableView, after: TableView): Scene<SheetStep>[] {
  const last = (before.log.at(-1)?.number ?? -1) + 1
  const line = after.log.find((each) => each.number >= last && each.seat >= 0)
  const [was, now] = [Object.values(viewsOf(before))[0], Object.values(viewsOf(after))[0]]
  const over = was && now && (was.turn !== now.turn || was.round !== now.round || now.finished)
  if (!line || !over || !was.card) return []
  const ink: SheetStep = { ms: INK_MS, table: inked(before, after) }
  const gains = gainsOf(
    was,
    now,
    after.log.filter((each) => each.number >= last),
  )
  const steps = gains.length ? [ink, { ms: GAINS_MS, gains }] : [ink]
  return [{ number: line.number, seat: line.seat, steps }]
}

/** What each seat's last move brought; debts stand beside the number, as in the strip. */
function gainsOf(was: View, now: View, log: readonly LogLine[]): Gain[] {
  return now.sheets.flatMap(({ score }, seat) => {
    const move = parseMove(log.findLast((line) => line.seat === seat)?.text ?? null)
    const station = sectionsOf(move).at(-1)?.[1]
    const points = built(score, false) - built(was.sheets[seat]!.score, false)
    return station && points ? [{ seat, points, station }] : []
  })
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

export const STORY: Story<SheetStep> = {
  scenes,
  rewind: (table, number) => ({
    ...table,
    log: table.log.filter((line) => line.number < number),
    legal: {},
  }),
}
