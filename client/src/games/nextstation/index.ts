import type { Game } from '../registry'
import { City } from './board/city'
import FullSheet from './ending/FullSheet.svelte'
import { moveName } from './words/labels'
import Paper from './turn/Paper.svelte'
import Play from './Play.svelte'
import type { MapData, View } from './types'

export function open(data: MapData): Game<City, View> {
  const game = { map: new City(data), note: data.note, Play }
  return {
    ...game,
    Paper,
    FullSheet,
    moveName,
    moveText: (lines) =>
      lines
        .filter((line) => line.seat >= 0)
        .map((line) => moveName(line.text))
        .join(', '),
    lesson: async () => (await import('./words/lesson')).lesson(data),
    review: async () => ({ ...game, ...(await import('./words/review')).partsOn(game.map) }),
  }
}
