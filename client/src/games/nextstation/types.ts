/** What the server says of Next Station: a map for drawing, and what a seat knows. */

import type { Words } from '../../api/types'

export type Point = [number, number]
export type Symbol = 'circle' | 'triangle' | 'square' | 'pentagon' | 'wild'

export interface Station {
  name: string
  x: number
  y: number
  symbol: Symbol
  district: number
  departure: string | null
  tourist: boolean
}

export interface Section {
  a: string
  b: string
  path: Point[]
  loop: boolean
  over_river: boolean
}

export interface MapData {
  map: string
  title: Words
  city: Words
  note: Words
  width: number
  height: number
  stations: Station[]
  sections: Section[]
  districts: { key: string; name: Words; stamp: number }[]
  district_at: number[][]
  river: Point[]
  river_name: Words
  loop_colour: string
  colours: string[]
  double_track_jokers: boolean
  scoring: {
    river: number
    tourist: number[]
    interchanges: Record<string, number>
    loop: number
    verdicts: number[]
    judge: string
  }
  objectives: { id: string; needs: string; at_least: number; district: number }[]
  cards: string[]
}

export interface LineView {
  colour: string
  sections: string[]
  circled: string[]
}

export interface LineScore {
  colour: string
  districts: number
  fullest: number
  over_river: number
  points: number
}

export interface ScoreSheet {
  lines: LineScore[]
  marks: number
  tourist: number
  stamps_won: number
  stamps: number
  loop_missed: number
  loop: number
  meeting: Record<string, number>
  interchanges: number
  objectives: { id: string; reached: number; needed: number; met: boolean }[]
  objective_points: number
  deduction: number
  total: number
}

export interface SheetView {
  lines: LineView[]
  power_spent: boolean
  score: ScoreSheet
}

export interface View {
  seat: number
  seats: number
  actors: number[]
  finished: boolean
  options: Record<string, boolean>
  phase: string
  round: number
  turn: number
  card: string | null
  switch: boolean
  cards_shown: string[]
  cards_left: string[]
  controller: number
  pencils: string[][]
  objectives: string[]
  powers: Record<string, string>
  special: [string, string][]
  sheets: SheetView[]
  moved: boolean[]
  own_move: string | null
}
