/** What a board of the game shows. */

import type { Means } from '../../../table/turn.svelte'
import type { MoveNames } from '../../registry'
import type { Pair } from '../turn/notation'
import type { ScoreSheet } from '../types'
import type { City } from './city'
import type { Line, Side } from './lines'

/** What the counting at the end of a round shows on the map. */
export interface Lit {
  districts: number[]
  fullest: number | null
  stations: string[]
  crossings: number[]
  stamps: number[]
  train: boolean
}

/** What is not shown unless it is asked for. */
const BARE = {
  /** The colour in hand. */
  pencil: '',
  /** Sections that draw themselves now, with the station they start from. */
  fresh: new Map() as ReadonlyMap<number, string>,
  /** Whether those are a draft, in pencil. */
  sketch: false,
  /** Ways that can be drawn now. */
  ways: [] as { from: string; to: string }[],
  /** Whether the ways go on from the draft, rather than replace it. */
  due: false,
  /** Whether one of several ways to the same station has to be chosen. */
  asking: false,
  /** Stations that can be circled now. */
  circles: [] as string[],
  /** The station whose circle is only drafted. */
  circled: null as string | null,
  /** The ends of the line in hand. */
  ends: [] as string[],
  /** The station from which is drawn. */
  chosen: null as string | null,
  /** The station that was just refused. */
  refused: null as string | null,
  /** Sections that a hint points out. */
  hinted: [] as readonly Pair[],
  /** What a move that was played and a better one, which is `hinted`, are called. */
  compares: null as MoveNames | null,
  /** Sections of that move. */
  played: [] as readonly Pair[],
  /** Stations whose names are shown. */
  tagged: [] as readonly string[],
  /** What is counted just now. */
  lit: null as Lit | null,
  /** Stations that are counted at the end of the game. */
  popped: [] as readonly string[],
  /** Few details, for a small picture. */
  small: false,
  /** Whether rows and columns have their names. */
  margin: false,
}

/** A scene as it is asked for. */
export interface Shown extends Partial<typeof BARE> {
  label: string
  lines: Line[]
  /** How many lines meet where, and whose stamps are won, as the server counts them. */
  score?: Pick<ScoreSheet, 'lines_at' | 'stamped'> | undefined
  describe?: (station: string) => string
  onpick?: ((station: string, means: Means) => void) | undefined
  ondraw?: (from: string, to: string, means: Means) => void
}

/** A scene with all of its parts. */
export type Scene = Shown & typeof BARE

export const sceneOf = (shown: Shown): Scene => ({ ...BARE, ...shown })

/** What a part of the board is drawn from. */
export interface Layer {
  city: City
  scene: Scene
  /** Whose tracks lie on each section. */
  side: ReadonlyMap<number, Side>
}
