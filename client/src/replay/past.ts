/** A game that is over as a row of tables, one for each moment. */

import type { GameReplay, TableView } from '../api/schema'
import type { TableSource } from '../table/source'
import { stillTable } from '../table/stillTable'

/** All moments with whole views: each says only what has changed since the one before. */
export function wholeViews(replay: GameReplay): TableView['views'][] {
  let views: GameReplay['moments'][number]['views'] = {}
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
  replay: GameReplay,
  views: TableView['views'],
  at: number,
  id: string,
): TableView {
  const { game, map, title, options, moments, outcome } = replay
  const { number } = moments[at]!
  const over = at === moments.length - 1
  return stillTable({
    id,
    game,
    map,
    title,
    options,
    // Nobody who looks back is at the table.
    seats: replay.seats.map((seat) => ({ ...seat, mine: false })),
    number,
    finished: over,
    views,
    log: replay.log.filter((line) => line.known <= number),
    outcome: over ? outcome : null,
  })
}

/** What the log says of the move that led to a moment, and of what was drawn with it. */
export function linesOf({ moments, log }: GameReplay, at: number): GameReplay['log'] {
  const since = moments[at - 1]?.number ?? 0
  const { number, seat } = moments[at]!
  const lines = log.filter((line) => line.number >= since && line.number < number)
  return lines.slice(lines.findIndex((line) => line.seat === seat))
}

const never = (): Promise<never> => Promise.reject(new Error('nobody moves in a replay'))

/** One of the moments as a table, at which nobody moves. */
export class ReplayTable implements TableSource {
  readonly kind = 'replay'
  readonly move = never
  readonly undo = never
  readonly why = never

  constructor(private readonly shown: () => TableView | undefined) {}

  get table(): TableView | undefined {
    return this.shown()
  }
}
