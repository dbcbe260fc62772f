/** What the server says, by the types made of its schema (`npm run types` makes them anew). */

import type { GameHead, MapHead, NewSeat, Table as AnyTable } from './schema'

export type { Clock, ErrorBody, Hint, Me, NewTable, Replay, Rules, SeatHead, Shelf, TableHead, Told, Why } from './schema'

export type Lang = 'en' | 'fr'
export type Words = Record<string, string>

export type ShelfGame = GameHead
export type ShelfMap = MapHead
export type SeatWish = NewSeat

/** A table; what its views are is known to the game alone. */
export type Table = Omit<AnyTable, 'views'> & { views: Record<string, unknown> }
