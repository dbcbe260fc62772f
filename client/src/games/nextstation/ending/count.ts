/** The counting of a line at the end of its round, step by step, as it is shown on the map. */

import type { Lit } from '../board/scene'
import type { LineScore } from '../types'

/** What is lit after so many steps, and whether the sum is due. */
export interface Count extends Lit {
  sum: boolean
}

/** All steps of the counting: districts, the fullest one's stations, crossings or stamps, sum. */
export function countLine(line: LineScore): Count[] {
  const { visited, fullest_stations: stations } = line
  const dark = { fullest: null, stations: [], crossings: [], stamps: [], train: true, sum: false }
  const steps: Count[] = []
  for (let k = 0; k <= visited.length; k++) steps.push({ ...dark, districts: visited.slice(0, k) })
  const full = {
    ...dark,
    districts: visited,
    fullest: visited.length ? line.fullest_district : null,
  }
  for (let k = 1; k <= stations.length; k++) steps.push({ ...full, stations: stations.slice(0, k) })
  const last = { ...full, stations, crossings: line.river_sections, stamps: line.new_stamps }
  if (last.crossings.length || last.stamps.length) steps.push(last)
  steps.push({ ...last, sum: true })
  return steps
}
