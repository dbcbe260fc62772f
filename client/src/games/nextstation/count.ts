/** The counting of a line at the end of its round, step by step, as it is shown on the map. */

import type { City } from './city'
import type { Lit } from './lit'
import { districtsOf, type Line, linesAt } from './lines'

/** What is lit after so many steps, and whether the sum is due. */
export interface Count extends Lit {
  sum: boolean
}

/** All steps of the counting: districts, the fullest one's stations, crossings or stamps, sum. */
export function countLine(city: City, lines: readonly Line[], round: number): Count[] {
  const line = lines[round - 1]!
  const districts = districtsOf(city, line)
  const lit: number[] = []
  const dark = { fullest: null, stations: [], crossings: [], stamps: [], train: true, sum: false }
  const steps: Count[] = [{ ...dark, districts: [] }]
  for (const d of districts.keys()) {
    lit.push(d)
    steps.push({ ...dark, districts: [...lit] })
  }
  const size = (d: number) =>
    districts.get(d)!.length + districts.get(d)!.filter((s) => line.circled.includes(s)).length
  const fullest = lit.reduce<number | null>(
    (best, d) => (best === null || size(d) > size(best) ? d : best),
    null,
  )
  const stations = fullest === null ? [] : districts.get(fullest)!
  for (let k = 1; k <= stations.length; k++)
    steps.push({ ...dark, districts: lit, fullest, stations: stations.slice(0, k) })
  const crossings = line.sections.filter((i) => city.section(i).over_river)
  const won = stampsWon(city, lines.slice(0, round))
  const before = stampsWon(city, lines.slice(0, round - 1))
  const stamps = [...won].filter((d) => !before.has(d))
  const last = { ...dark, districts: lit, fullest, stations, crossings, stamps }
  if (crossings.length || stamps.length) steps.push(last)
  steps.push({ ...last, sum: true })
  return steps
}

/** The districts whose stamp these lines have won (NT-06). */
function stampsWon(city: City, lines: readonly Line[]): Set<number> {
  const stamps = new Set<number>()
  for (const [name, count] of linesAt(city, lines)) {
    const d = city.station.get(name)!.district
    if (count > 1 && city.data.districts[d]!.stamp) stamps.add(d)
  }
  return stamps
}
