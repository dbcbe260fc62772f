/** A position of the past as a table for one decision, in which somebody looks for a move. */

import { Refused } from '../api/server'
import type { Exercise, GameReplay, TableView, Why } from '../api/schema'
import type { TableSource } from '../table/source'
import { stillTable } from '../table/stillTable'

/** What a table says of itself and of who plays there. */
export type TableHead = Pick<GameReplay, 'game' | 'map' | 'title' | 'options' | 'seats'> & {
  log?: TableView['log']
}

/** Judges a move; an illegal one is refused with the reason. */
export type Judge = (move: string) => Promise<void>

export class ExerciseTable implements TableSource {
  readonly kind = 'exercise'
  table: TableView = $state.raw()!

  constructor(
    head: TableHead,
    position: Exercise,
    private readonly judge: Judge,
  ) {
    const { seat, view, legal } = position
    const seats = head.seats.map((one) => ({ ...one, mine: one.seat === seat, online: true }))
    this.table = stillTable({
      ...head,
      seats,
      views: { [seat]: view },
      legal: { [seat]: legal },
    })
  }

  move(_seat: number, text: string): Promise<void> {
    return this.judge(text)
  }

  undo(): Promise<void> {
    return Promise.reject(new Error('a decision has no move before it'))
  }

  /** Why a move is not possible: the judge refuses it with the reason. */
  why(_seat: number, text: string): Promise<Why> {
    return this.judge(text).then(
      () => ({ sentence: null }),
      (error: unknown) => {
        if (error instanceof Refused && error.refusal) return error.refusal
        throw error
      },
    )
  }
}
