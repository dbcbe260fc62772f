import './colours.css'
import type { LogLine } from '../../api/schema'
import { turnText } from './labels'
import { Plan } from './plan'
import { turns } from './turns'
import type { MapData } from './types'

export { default as Play } from './Play.svelte'

export const lesson = async () => (await import('./lesson')).lesson

export const review = () => import('./review')

export const moveText = (lines: readonly LogLine[], map: unknown): string =>
  turns(lines)
    .map((turn) => turnText(new Plan(map as MapData), turn))
    .join(', ')
