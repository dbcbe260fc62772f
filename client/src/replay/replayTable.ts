/** A game that is over: one of its moments as a table, at which nobody moves. */

import type { TableView } from '../api/schema'
import type { TableSource } from '../table/source'

const never = (): Promise<never> => Promise.reject(new Error('nobody moves in a replay'))

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
