/** Lines that grow by themselves, for a moving picture: plausible, never a game. */

import type { City } from './city'
import { type Line, owners, stationsOf } from './lines'
import type { Scene } from './scene'

const LENGTH = 8

/** Returns scene after scene: each line grows from its departure, until all are drawn. */
export function growing(city: City): Pick<Scene, 'lines' | 'fresh'>[] {
  const lines: Line[] = []
  const scenes = []
  for (const colour of city.data.colours) {
    lines.push({ colour, sections: [], circled: [] })
    const departure = city.data.stations.find((s) => s.departure === colour)!.name
    let tips = [departure, departure]
    for (let k = 0; k < LENGTH; k++) {
      const track = grow(city, lines, tips)
      if (!track) break
      tips = tips[0] === track.from ? [track.to, tips[1]!] : [tips[0]!, track.to]
      const line = lines.pop()!
      lines.push({ ...line, sections: [...line.sections, track.section] })
      scenes.push({ lines: [...lines], fresh: new Map([[track.section, track.from]]) })
    }
  }
  return scenes
}

/** A section that the last line can go on with from one of its ends. */
function grow(city: City, lines: Line[], tips: string[]) {
  const taken = owners(city, lines)
  const been = stationsOf(city, lines.at(-1)!)
  const open = tips.flatMap((from) =>
    city.data.sections.flatMap((s, section) => {
      const to = s.a === from ? s.b : s.b === from ? s.a : null
      const blocked = [section, ...s.crosses].some((other) => taken.has(other))
      return to === null || been.has(to) || blocked ? [] : [{ section, from, to }]
    }),
  )
  return open[Math.floor(Math.random() * open.length)]
}
