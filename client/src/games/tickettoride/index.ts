import 'palette:ticket-to-ride.css'
import type { Game } from '../registry'
import { turnText } from './words/labels'
import { Plan } from './board/plan'
import Play from './Play.svelte'
import { turns } from './words/turns'
import type { MapData, View } from './types'

export function open(data: MapData): Game<Plan, View> {
  const game = { map: new Plan(data), note: data.note, Play }
  return {
    ...game,
    moveText: (lines) =>
      turns(lines)
        .map((turn) => turnText(game.map, turn))
        .join(', '),
    lesson: async () => (await import('./words/lesson')).lesson,
    review: async () => ({ ...game, ...(await import('./words/review')).partsOn(game.map) }),
  }
}
