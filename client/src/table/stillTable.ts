/** A table that no server follows: a moment of the past, a puzzle, a game on paper. */

import type { SeatHead, TableView } from '../api/schema'

type Shown = Pick<TableView, 'game' | 'map' | 'title' | 'options' | 'seats' | 'views'>

/** A seat of such a table. */
export const stillSeat = (seat: number, name: string, mine: boolean): SeatHead => {
  return {
    seat,
    name,
    mine,
    kind: 'person',
    online: true,
    left: false,
    face: '',
    former: false,
    kept: false,
  }
}

/** The table with these parts; nobody waits at it, and nothing is promised about its deal. */
export function stillTable(shown: Shown & Partial<TableView>): TableView {
  const at = Date.now() / 1000
  return {
    id: '',
    clock: { kind: 'none' },
    training: false,
    seed_chosen: false,
    public: false,
    chat: false,
    day: '',
    number: 0,
    finished: false,
    created: at,
    started: at,
    commitment: '',
    legal: {},
    gains: {},
    log: [],
    log_from: 0,
    stand_ins: {},
    happenings: [],
    can_undo: {},
    asked_undo: null,
    starts_at: null,
    hosting: false,
    stopped: false,
    ended: false,
    now: at,
    outcome: null,
    ...shown,
  }
}
