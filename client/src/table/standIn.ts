/** That the clock or a bot moved for somebody. */

import type { TableView } from '../api/schema'
import { say } from '../shell/texts.svelte'

/** Says what moved for a seat last; empty if its holder did. `name` puts a move into words. */
export function standInText(table: TableView, seat: number, name: (move: string) => string) {
  const line = table.log.findLast((line) => line.seat === seat)
  const kind = line && table.stand_ins[line.number]
  const how = line?.text === 'pass' ? 'passed' : 'moved'
  return kind ? say(`web.stand_in.${kind}.${how}`, { move: name(line.text) }) : ''
}
