/** What a board of the game shows. */

import type { Means } from '../../../table/turn.svelte'
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

export interface Scene {
  label: string
  lines: Line[]
  /** How many lines meet where, and whose stamps are won, as the server counts them. */
  score?: Pick<ScoreSheet, 'lines_at' | 'stamped'> | undefined
  /** The colour in hand. */
  pencil: string
  /** Sections that draw themselves now, with the station they start from. */
  fresh: ReadonlyMap<number, string>
  /** Ways that can be drawn now. */
  ways: { from: string; to: string }[]
  /** Whether the ways go on from the draft, rather than replace it. */
  due: boolean
  /** Stations that can be circled now. */
  circles: string[]
  /** The station whose circle is only drafted. */
  circled: string | null
  /** The ends of the line in hand. */
  ends: string[]
  /** The station from which is drawn. */
  chosen: string | null
  /** The station that was just refused. */
  refused: string | null
  /** Sections that a hint points out. */
  hinted: readonly Pair[]
  /** Sections that were played and are compared with those. */
  played: readonly Pair[]
  /** Stations whose names are shown. */
  tagged: readonly string[]
  /** What is counted just now. */
  lit: Lit | null
  /** Few details, for a small picture. */
  small: boolean
  /** Whether rows and columns have their names. */
  margin: boolean
  describe?: (station: string) => string
  onpick?: ((station: string, means: Means) => void) | undefined
  ondraw?: (from: string, to: string, means: Means) => void
}

/** What a part of the board is drawn from. */
export interface Layer {
  city: City
  scene: Scene
  /** Whose tracks lie on each section. */
  side: ReadonlyMap<number, Side>
}

/** A scene as it is asked for: what is left out is not there. */
export type Shown = Pick<Scene, 'label' | 'lines'> & Partial<Scene>

const BARE = {
  pencil: '',
  fresh: new Map<number, string>(),
  ways: [],
  due: false,
  circles: [],
  circled: null,
  ends: [],
  chosen: null,
  refused: null,
  hinted: [],
  played: [],
  tagged: [],
  lit: null,
  small: false,
  margin: false,
} satisfies Partial<Scene>

export const sceneOf = (shown: Shown): Scene => ({ ...BARE, ...shown })
