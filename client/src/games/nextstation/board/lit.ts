/** What the counting at the end of a round shows on the map. */
export interface Lit {
  districts: number[]
  fullest: number | null
  stations: string[]
  crossings: number[]
  stamps: number[]
  train: boolean
}
