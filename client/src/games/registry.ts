/** The games that this client can show: each is a folder here, loaded when it is needed. */

import type { Component, Snippet } from 'svelte'
import type { LogLine, Turn } from '../api/schema'
import * as server from '../api/server'
import type { Lesson } from '../learn/lesson'
import type { PaperTable } from '../paper/paper.svelte'
import type { TableSource } from '../table/source'

/** A moment of a game that is over: after how many events, and what the seat saw. */
export interface PastView<View = unknown> {
  number: number
  view: View
}

/** What two moves are called that a board compares. */
export interface MoveNames {
  played: string
  best: string
}

/** What the board at a moment of a review needs; a move is null where nobody decides. */
export interface MomentProps<Board = unknown, View = unknown> {
  map: Board
  view: View
  played: string | null
  best: string | null
  /** Where the moves that are drawn are called something. */
  names?: MoveNames
}

/** A game on one of its maps. Only its own components know what its map and its views are. */
export interface Game<Board = unknown, View = unknown> {
  /** The map, as the components of the game take it. */
  map: Board
  /** What there is to say of the map, by language. */
  note: Record<string, string>
  /** The table in play and at its end; `aside` comes first beside the board. */
  Play: Component<{ source: TableSource; map: Board; aside?: Snippet | undefined }>
  /** What somebody did, in words, from the lines that the log has of it. */
  moveText: (lines: readonly LogLine[]) => string
  /** The first game on the map, which explains itself. */
  lesson: () => Promise<Lesson>
  /** What a review of the game shows besides. */
  review: () => Promise<ReviewParts<Board, View>>
  /** A game played with pencils, to be written down; the shelf says which games have it. */
  Paper?: Component<{ paper: PaperTable; map: Board }>
  /** A move of a game written down, in words. */
  moveName?: (text: string) => string
  /** A full sheet without its cards, to be scored. */
  FullSheet?: Component<{ game: string; map: Board }>
}

/** What a game shows in a review. */
export interface ReviewParts<Board = unknown, View = unknown> extends Pick<
  Game<Board>,
  'map' | 'note' | 'Play'
> {
  /** The board at a moment, with the move that was played and the best one. */
  Moment: Component<MomentProps<Board, View>>
  /** What else lay on the table at a moment: cards to take, one's own hand. */
  Cards?: Component<MomentProps<Board, View>>
  /** What was dealt, drawn as a card. */
  Dealt?: Component<{ dealt: string }>
  /** The moment that a turn of the report is about, as its index. */
  momentOf: (turn: Turn, past: readonly PastView<View>[]) => number
  /** A move in words, for a seat that saw this view. */
  moveName: (view: View, text: string) => string
  /** A part of the score, where the game has its own words: "districts × stations, blue line". */
  partName?: (view: View, part: string) => string
  /** What was dealt in words. */
  dealtName: (text: string) => string
  /** The colour of a round, where rounds have one. */
  inkOf?: (view: View, round: number) => string
}

/** What a game's folder exports from its `index.ts`; `data` is the map as the server has it. */
interface Folder {
  open: (data: unknown) => Game
}

/**
 * A small picture of a map, which the home page shows without the rest of the game: what a seat
 * sees of its game, the empty map, or else one that plays itself.
 */
type Miniature = Component<{ map: unknown; view?: unknown; empty?: boolean }>

/** What Home says of a running game. */
export interface Glance {
  /** The points of each seat so far. */
  totals: readonly number[]
  /** What somebody did last, after "you" or a name. */
  last?: { seat: number; brief: (you: boolean) => string }
}
type Glancing = (now: { map: unknown; view: unknown; log: readonly LogLine[] }) => Glance

const folders = import.meta.glob<Folder>('./*/index.ts')
const miniatures = import.meta.glob<Miniature>('./*/board/Miniature.svelte', { import: 'default' })
const glances = import.meta.glob<Glancing>('./*/words/glance.ts', { import: 'glance' })
const covers = import.meta.glob<string>('./*/covers/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** A game's folder is named as the game is, letters only. */
const folder = (game: string) => `./${game.replace(/[^a-z]/g, '')}`

/** Whether this client can show a game that the server has on its shelf. */
export const canShow = (game: string): boolean => `${folder(game)}/index.ts` in folders

/** Returns a game on one of its maps; its code and the map are loaded now. */
export async function openGame(game: string, map: string): Promise<Game> {
  const load = folders[`${folder(game)}/index.ts`]
  if (!load) throw new Error(game)
  const [{ open }, data] = await Promise.all([load(), server.mapData(game, map)])
  return open(data)
}

/** The address of the drawing on the cover of a map; maps of other people have none. */
export const cover = (game: string, map: string): string | undefined =>
  covers[`${folder(game)}/covers/${map}.svg`]

/** The small picture of a game's maps. */
export function miniature(game: string): Promise<Miniature> {
  const load = miniatures[`${folder(game)}/board/Miniature.svelte`]
  return load ? load() : Promise.reject(new Error(game))
}

/** What is to be said of a table's game, as a seat sees it. */
export async function glanceAt(game: string, now: Parameters<Glancing>[0]): Promise<Glance> {
  const load = glances[`${folder(game)}/words/glance.ts`]
  if (!load) throw new Error(game)
  return (await load())(now)
}
