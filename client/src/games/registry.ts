/** The games that this client can show: each is a folder here, loaded when it is needed. */

import type { Component, Snippet } from 'svelte'
import type { LiveTable } from '../api/live.svelte'
import type { Lesson } from '../learn/lesson'

/** What the folder of a game exports from its `index.ts`. */
export interface GameModule {
  /** The table in play and at its end; `aside` comes first beside the board. */
  Play: Component<{ live: LiveTable; map: unknown; aside?: Snippet | undefined }>
  /** A small living picture of a map. */
  Miniature: Component<{ map: unknown }>
  /** The first game on a map, which explains itself. */
  lesson: (map: unknown) => Promise<Lesson>
}

const folders = import.meta.glob<GameModule>('./*/index.ts')

/** A game's folder is named as the game is, letters only. */
const folder = (game: string) => `./${game.replace(/[^a-z]/g, '')}/index.ts`

/** Whether this client can show a game that the server has on its shelf. */
export const canShow = (game: string): boolean => folder(game) in folders

/** The code of a game. */
export function gameModule(game: string): Promise<GameModule> {
  const load = folders[folder(game)]
  return load ? load() : Promise.reject(new Error(game))
}
