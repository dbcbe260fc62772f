import type { LogLine } from '../../api/schema'
import { moveName } from './words/labels'
import type { MapData } from './types'

export { default as FullSheet } from './ending/FullSheet.svelte'
export { default as Paper } from './turn/Paper.svelte'
export { default as Play } from './Play.svelte'
export { moveName } from './words/labels'

export const lesson = async (map: unknown) =>
  (await import('./words/lesson')).lesson(map as MapData)

export const review = () => import('./words/review')

export const moveText = (lines: readonly LogLine[]): string =>
  lines
    .filter((line) => line.seat >= 0)
    .map((line) => moveName(line.text))
    .join(', ')
