/** What the server says of tables and games; the same for every game. */

export type Lang = 'en' | 'fr'
export type Words = Record<Lang, string>

export interface Me {
  id: string
  name: string
  csrf: string
}

export interface ShelfMap {
  name: string
  title: Words
  note: Words
}

export interface ShelfGame {
  name: string
  title: Words
  maps: ShelfMap[]
  seats: { min: number; max: number }
  options: string[]
  never_together: [string, string][]
  bots: string[]
  clocks: string[]
}

export interface Shelf {
  games: ShelfGame[]
  version: string
}

export interface Clock {
  kind: 'none' | 'turn' | 'bank' | 'days'
  seconds?: number | null
  increment?: number | null
  days?: number | null
}

export interface SeatHead {
  seat: number
  name: string
  kind: 'person' | 'bot' | 'open'
  mine: boolean
  online: boolean
  moved?: boolean
  bot?: string
  away_at?: number
}

export interface TableHead {
  id: string
  game: string
  map: string
  title: Words
  options: Record<string, boolean>
  seats: SeatHead[]
  clock: Clock
  training: boolean
  public: boolean
  number: number
  finished: boolean
  created: number
  started: number | null
}

export interface Told {
  number: number
  seat: number
  text: string
}

export interface Outcome {
  totals: number[]
  winners: number[]
  reason: string
}

export interface Table extends TableHead {
  commitment: string
  views: Record<string, unknown>
  legal: Record<string, string[]>
  log: Told[]
  log_from: number
  outcome?: Outcome | null
  can_undo: Record<string, boolean>
  clocks?: { turn_ends?: number; ends?: Record<string, number>; banks?: Record<string, number> } | null
  now: number
  next?: string | null
}

export interface Refusal {
  rule: string
  key: string
  sentence: string
  lang: string
}

export interface SeatWish {
  kind: 'me' | 'bot' | 'open'
  bot?: string
  name?: string
}

export interface NewTable {
  game: string
  map: string
  options: Record<string, boolean>
  seats: SeatWish[]
  clock: Clock
  training: boolean
  public: boolean
}
