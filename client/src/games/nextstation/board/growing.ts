/** Lines that grow by themselves, for a moving picture: plausible, never a game. */

import type { City } from './city'
import { type Line, owners, stationsOf } from './lines'
import type { Scene } from './scene'

interface Track {
  section: number
  from: string
  to: string
}

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

function grow(city: City, lines: Line[], tips: string[]): Track | null {
  const taken = owners(city, lines)
  const been = stationsOf(city, lines.at(-1)!)
  const open: Track[] = []
  for (const from of tips)
    city.data.sections.forEach((s, section) => {
      const to = s.a === from ? s.b : s.b === from ? s.a : null
      if (to === null || been.has(to) || taken.has(section)) return
      if (!s.crosses.some((other) => taken.has(other))) open.push({ section, from, to })
    })
  return open[Math.floor(Math.random() * open.length)] ?? null
}
