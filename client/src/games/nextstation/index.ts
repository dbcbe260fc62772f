import type { LogLine } from '../../api/schema'
import { moveName } from './labels'
import type { MapData } from './types'

export { default as FullSheet } from './FullSheet.svelte'
export { default as Paper } from './Paper.svelte'
export { default as Play } from './Play.svelte'
export { moveName } from './labels'

export const lesson = async (map: unknown) => (await import('./lesson')).lesson(map as MapData)

export const review = () => import('./review')

export const moveText = (lines: readonly LogLine[]): string =>
  lines
    .filter((line) => line.seat >= 0)
    .map((line) => moveName(line.text))
    .join(', ')
