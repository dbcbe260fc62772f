/** What the server says, by the types made of its schema (`npm run types` makes them anew). */

import type {
  GameHead,
  MapHead,
  NewSeat,
  Paper as AnyPaper,
  PaperSheet,
  Table as AnyTable,
} from './schema'

export type {
  Clock,
  Course,
  Deal,
  ErrorBody,
  FullSheet,
  Hint,
  Me,
  NewTable,
  PaperGame,
  Profile,
  Replay,
  Rules,
  SeatHead,
  SheetScore,
  Shelf,
  TableHead,
  Today,
  LogLine,
  Why,
} from './schema'

export type Lang = 'en' | 'fr'
export type Words = Record<string, string>

export type ShelfGame = GameHead
export type ShelfMap = MapHead
export type SeatWish = NewSeat

/** A table; what its views are is known to the game alone. */
export type Table = Omit<AnyTable, 'views'> & { views: Record<string, unknown> }
/** A game on paper; what its views are is known to the game alone. */
export type Paper = Omit<AnyPaper, 'view' | 'sheets'> & {
  view: unknown
  sheets: (Omit<PaperSheet, 'view'> & { view: unknown })[]
}
