/** What Home says of a running game. */

import type { Glance } from '../../registry'
import { built } from '../ending/standing'
import type { View } from '../types'

export const glance = ({ view }: { view: View }): Glance => ({
  totals: view.sheets.map(({ score }) => built(score, view.finished)),
})
