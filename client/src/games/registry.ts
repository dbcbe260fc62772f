/** The games that this client can show: each is a folder here, loaded when it is needed. */

import type { Component, Snippet } from 'svelte'
import type { LogLine, Turn } from '../api/schema'
import type { Lesson } from '../learn/lesson'
import type { PaperTable } from '../paper/paper.svelte'
import type { TableSource } from '../table/source'

/** A moment of a game that is over: after how many events, and what the seat saw. */
export interface PastView {
  number: number
  view: unknown
}

/** What the board at a moment of a review needs; a move is null where nobody decides. */
export interface MomentProps {
  map: unknown
  view: unknown
  played: string | null
  best: string | null
}

/** What a game shows in a review. */
export interface ReviewParts {
  /** The board at a moment, with the move that was played and the best one. */
  Moment: Component<MomentProps>
  /** The moment that a turn of the report is about, as its index. */
  momentOf: (turn: Turn, past: readonly PastView[]) => number
  /** A move in words, for a seat that saw this view. */
  moveName: (map: unknown, view: unknown, text: string) => string
  /** A part of the score, where the game has its own words: "districts × stations, blue line". */
  partName?: (map: unknown, view: unknown, part: string) => string
  /** What was dealt in words. */
  dealtName: (map: unknown, text: string) => string
  /** The colour of a round, where rounds have one. */
  inkOf?: (view: unknown, round: number) => string
}

/** What the folder of a game exports from its `index.ts`. */
export interface GameModule {
  /** The table in play and at its end; `aside` comes first beside the board. */
  Play: Component<{ source: TableSource; map: unknown; aside?: Snippet | undefined }>
  /** What somebody did, in words, from the lines that the log has of it. */
  moveText: (lines: readonly LogLine[], map: unknown) => string
  /** The first game on a map, which explains itself. */
  lesson: (map: unknown) => Promise<Lesson>
  /** What a review of the game shows. */
  review: () => Promise<ReviewParts>
  /** A game played with pencils, to be written down; the shelf says which games have it. */
  Paper?: Component<{ paper: PaperTable; map: unknown }>
  /** A move of a game written down, in words. */
  moveName?: (text: string) => string
  /** A full sheet without its cards, to be scored. */
  FullSheet?: Component<{ game: string; map: unknown }>
}

/** A small living picture of a map, which the home page shows without the rest of the game. */
type Miniature = Component<{ map: unknown }>

const folders = import.meta.glob<GameModule>('./*/index.ts')
const miniatures = import.meta.glob<Miniature>('./*/board/Miniature.svelte', { import: 'default' })

/** A game's folder is named as the game is, letters only. */
const folder = (game: string) => `./${game.replace(/[^a-z]/g, '')}`

/** Whether this client can show a game that the server has on its shelf. */
export const canShow = (game: string): boolean => `${folder(game)}/index.ts` in folders

/** The code of a game, loaded when it is opened. */
export function gameModule(game: string): Promise<GameModule> {
  const load = folders[`${folder(game)}/index.ts`]
  return load ? load() : Promise.reject(new Error(game))
}

/** The small picture of a game's maps. */
export function miniature(game: string): Promise<Miniature> {
  const load = miniatures[`${folder(game)}/board/Miniature.svelte`]
  return load ? load() : Promise.reject(new Error(game))
}
