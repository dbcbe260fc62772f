/** A puzzle as a table that its game can show: one position, one move, and what it was worth. */

import { LiveTable } from '../api/live.svelte'
import * as server from '../api/server'
import type { PracticeAnswer, PracticePuzzle, TableView, Why } from '../api/schema'
import { say } from '../shell/texts.svelte'
import { stillTable } from '../table/stillTable'

export class PuzzleTable extends LiveTable {
  answer: PracticeAnswer | undefined = $state.raw()
  /** The move that was tried. */
  tried = $state('')

  constructor(readonly puzzle: PracticePuzzle) {
    super('', false, false)
    this.table = tableOf(puzzle)
  }

  override async move(_: number, text: string): Promise<void> {
    const answer = await server.solve(this.puzzle.id, text)
    this.tried = text
    this.answer = answer
    // From now on the board shows the best move, and nobody can move any more.
    const table = this.table!
    this.table = {
      ...table,
      seats: table.seats.map((seat) => ({ ...seat, mine: false })),
      views: { [this.puzzle.seat]: answer.after },
      legal: {},
    }
  }

  override why(_: number, text: string): Promise<Why> {
    return server.puzzleWhy(this.puzzle.id, text)
  }
}

function tableOf(puzzle: PracticePuzzle): TableView {
  const { game, map, title, options, seat, view, legal, log } = puzzle
  return stillTable({
    game,
    map,
    title,
    options,
    seats: Array.from({ length: puzzle.seats }, (_, i) => ({
      seat: i,
      name: i === seat ? say('web.you_name') : say('web.player', { n: i + 1 }),
      kind: 'person' as const,
      mine: i === seat,
      online: true,
      left: false,
      kept: false,
    })),
    views: { [seat]: view },
    legal: { [seat]: legal },
    log,
  })
}
