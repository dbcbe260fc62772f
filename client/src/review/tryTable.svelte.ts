/** A position of the past as a table for one decision, in which somebody looks for a move. */

import { LiveTable } from '../api/live.svelte'
import { Refused } from '../api/server'
import type { Exercise, Replay, TableView, Why } from '../api/schema'
import { stillTable } from '../table/stillTable'

/** What a table says of itself and of who plays there. */
export type TableHead = Pick<Replay, 'game' | 'map' | 'title' | 'options' | 'seats'> & {
  log?: TableView['log']
}

/** Judges a move; an illegal one is refused with the reason. */
export type Judge = (move: string) => Promise<void>

export class TryTable extends LiveTable {
  constructor(
    head: TableHead,
    position: Exercise,
    private readonly judge: Judge,
  ) {
    super('', false, false)
    const { seat, view, legal } = position
    const seats = head.seats.map((one) => ({ ...one, mine: one.seat === seat, online: true }))
    this.table = stillTable({
      ...head,
      id: '',
      seats,
      views: { [seat]: view },
      legal: { [seat]: legal },
    })
  }

  override move(_seat: number, text: string): Promise<void> {
    return this.judge(text)
  }

  /** Why a move is not possible: the judge refuses it with the reason. */
  override why(_seat: number, text: string): Promise<Why> {
    return this.judge(text).then(
      () => ({ sentence: null }),
      (error: unknown) => {
        if (error instanceof Refused && error.refusal) return error.refusal
        throw error
      },
    )
  }
}
