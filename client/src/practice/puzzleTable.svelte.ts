/** A puzzle as a table that its game can show: one position, one move, and what it was worth. */

import * as server from '../api/server'
import type { PracticeAnswer, PracticePuzzle, Why } from '../api/schema'
import { ExerciseTable, type TableHead } from '../review/exerciseTable.svelte'
import { say } from '../shell/texts.svelte'
import { stillSeat } from '../table/stillTable'

export class PuzzleTable extends ExerciseTable {
  answer: PracticeAnswer | undefined = $state.raw()
  /** The move that was tried. */
  tried = $state('')

  constructor(
    readonly puzzle: PracticePuzzle,
    private readonly judged: (table: PuzzleTable) => void,
  ) {
    super(headOf(puzzle), puzzle, (move) => this.solve(move))
  }

  override why(_: number, text: string): Promise<Why> {
    return server.puzzleWhy(this.puzzle.id, text)
  }

  private async solve(move: string): Promise<void> {
    const answer = await server.solve(this.puzzle.id, move)
    this.tried = move
    this.answer = answer
    this.judged(this)
  }
}

function headOf(puzzle: PracticePuzzle): TableHead {
  const { game, map, title, options, log } = puzzle
  const seats = Array.from({ length: puzzle.seats }, (_, seat) => {
    const mine = seat === puzzle.seat
    return stillSeat(seat, mine ? say('web.you_name') : say('web.player', { n: seat + 1 }), mine)
  })
  return { game, map, title, options, seats, log }
}
