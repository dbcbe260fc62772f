/** What the server says of Next Station, by the types made of its schema. */

import type { CityData, NextStationView, SectionData } from '../../api/schema'

export type { LineScore, LineView, ScoreSheet, StationData as Station } from '../../api/schema'

export type Point = [number, number]
export type Section = Omit<SectionData, 'path'> & { path: Point[] }
export type MapData = Omit<CityData, 'sections' | 'river'> & { sections: Section[]; river: Point[] }
export type View = Omit<NextStationView, 'special'> & { special: [string, string][] }
