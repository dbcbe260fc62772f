/** What Home says of a running game. */

import type { LogLine } from '../../../api/schema'
import type { Glance } from '../../registry'
import { Plan } from '../board/plan'
import type { MapData, View } from '../types'
import { briefText } from './labels'
import { turns } from './turns'

export function glance(now: { map: MapData; view: View; log: readonly LogLine[] }): Glance {
  const { points: totals } = now.view
  const turn = turns(now.log, true).findLast(({ moves }) => moves[0]!.kind !== 'keep')
  if (!turn) return { totals }
  const brief = (you: boolean) => briefText(new Plan(now.map), turn, you)
  return { totals, last: { seat: turn.seat, brief } }
}
