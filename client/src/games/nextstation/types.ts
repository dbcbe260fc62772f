/** The server's types of Next Station, by the names that the game's files use. */

export type {
  CityData as MapData,
  LineScore,
  LineView,
  NextStationView as View,
  ScoreSheet,
  SectionData as Section,
  Station,
} from '../../api/schema'

export type Point = [number, number]
