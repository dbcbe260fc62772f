/** What a cover says of a map besides its name. */

import type { GameHead, MapHead } from '../api/schema'
import { hasText, say } from '../shell/texts.svelte'

/** Returns the one sentence about a map, how long a game takes and how many play. */
export function figuresOf(game: GameHead, map: MapHead) {
  const box = game.name.replace(/[^a-z]/g, '')
  const own = `${box}_${map.name}`
  const name = hasText(`web.cover.${own}.what`) ? own : box
  return {
    sentence: say(`web.cover.${name}.what`),
    minutes: say(`web.cover.${name}.minutes`),
    players: `${game.seats.min}–${game.seats.max}`,
  }
}
