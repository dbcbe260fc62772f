/** What a board of the game shows. */

import type { Means } from '../../../table/turn.svelte'
import type { MoveNames } from '../../registry'

/** The letter of a ticket, at its places. */
export interface Letter {
  letter: string
  done: boolean
}

/** What is not shown unless it is asked for. */
const BARE = {
  /** Routes that can be taken now. */
  free: new Set() as ReadonlySet<string>,
  /** Routes on the ways of the seat's tickets: those of them that are free are marked. */
  wanted: new Set() as ReadonlySet<string>,
  /** Free routes that nobody on this screen can take any more. */
  closed: new Set() as ReadonlySet<string>,
  picked: null as string | null,
  /** The routes of the last moves. */
  marked: new Set() as ReadonlySet<string>,
  /** The route that a hint points out. */
  hinted: null as string | null,
  /** Tickets that a move keeps, by the indices of their places. */
  tickets: [] as readonly { kind: 'played' | 'best'; a: number; b: number }[],
  /** What the picked route or ticket and a better, hinted one are called to compare them. */
  compares: null as MoveNames | null,
  /** Routes to point out: the cheapest way of a ticket. */
  way: new Set() as ReadonlySet<string>,
  /** Places to point out, by index. */
  places: new Set() as ReadonlySet<number>,
  /** Places of the tickets of the seat, by index, with the letters of those tickets. */
  letters: new Map() as ReadonlyMap<number, readonly Letter[]>,
  /** How many places of each district are joined. */
  joined: [] as readonly number[],
  /** The seats whose buses are to be seen while the others step back; none for all. */
  only: [] as readonly number[],
  /** Few details, for a small picture. */
  small: false,
}

/** A scene as it is asked for. */
export interface Shown extends Partial<typeof BARE> {
  label: string
  /** Who has taken which route. */
  owners: Readonly<Record<string, number>>
  describe?: (route: string) => string
  onpick?: ((route: string, means: Means) => void) | undefined
}

/** A scene with all of its parts. */
export type Scene = Shown & typeof BARE

export const sceneOf = (shown: Shown): Scene => ({ ...BARE, ...shown })
