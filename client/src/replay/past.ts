/** A game that is over as a row of tables, one for each moment. */

import type { Replay, TableView } from '../api/schema'

/** All moments with whole views: each says only what has changed since the one before. */
export function wholeViews(replay: Replay): TableView['views'][] {
  let views: Replay['moments'][number]['views'] = {}
  return replay.moments.map((moment) => {
    const whole = Object.entries(moment.views).map(
      ([seat, changed]) => [seat, { ...views[seat], ...changed }] as const,
    )
    views = Object.fromEntries(whole)
    return views as TableView['views']
  })
}

/** The table as it was at a moment, for a game to show. */
export function tableAt(
  replay: Replay,
  views: TableView['views'],
  at: number,
  id: string,
): TableView {
  const over = at === replay.moments.length - 1
  return {
    id,
    game: replay.game,
    map: replay.map,
    title: replay.title,
    options: replay.options,
    // Nobody who looks back is at the table.
    seats: replay.seats.map((seat) => ({ ...seat, mine: false })),
    clock: { kind: 'none' },
    training: false,
    seed_chosen: false,
    public: false,
    day: '',
    number: replay.moments[at]!.number,
    finished: over,
    created: 0,
    started: 0,
    commitment: '',
    views,
    legal: {},
    log: replay.log.filter((line) => line.known <= replay.moments[at]!.number),
    log_from: 0,
    stand_ins: {},
    can_undo: {},
    hosting: false,
    now: Date.now() / 1000,
    outcome: over ? replay.outcome : null,
  }
}

/** What the log says of the move that led to a moment, and of what was drawn with it. */
export function linesOf({ moments, log }: Replay, at: number): Replay['log'] {
  const since = moments[at - 1]?.number ?? 0
  const { number, seat } = moments[at]!
  const lines = log.filter((line) => line.number >= since && line.number < number)
  return lines.slice(lines.findIndex((line) => line.seat === seat))
}
