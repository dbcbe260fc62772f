/** What a board of the game shows. */

import type { Means } from '../../../table/turn.svelte'

export interface Scene {
  label: string
  /** Who has taken which route. */
  owners: Readonly<Record<string, number>>
  /** Routes that can be taken now. */
  free: ReadonlySet<string>
  /** Free routes that nobody on this screen can take any more. */
  closed: ReadonlySet<string>
  picked: string | null
  /** The route that a hint points out. */
  hinted: string | null
  /** Routes to point out: the cheapest way of a ticket. */
  way: ReadonlySet<string>
  /** Places to point out, by index. */
  places: ReadonlySet<number>
  /** The seat whose buses are to be seen, the others step back. */
  only: number | null
  /** Few details, for a small picture. */
  small: boolean
  describe?: (route: string) => string
  onpick?: ((route: string, means: Means) => void) | undefined
}

/** A scene as it is asked for: what is left out is not there. */
export type Shown = Pick<Scene, 'label' | 'owners'> & Partial<Scene>

const BARE = {
  free: new Set<string>(),
  closed: new Set<string>(),
  picked: null,
  hinted: null,
  way: new Set<string>(),
  places: new Set<number>(),
  only: null,
  small: false,
} satisfies Partial<Scene>

export const sceneOf = (shown: Shown): Scene => ({ ...BARE, ...shown })
