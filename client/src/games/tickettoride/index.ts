import './board/colours.css'
import type { LogLine } from '../../api/schema'
import { turnText } from './words/labels'
import { Plan } from './board/plan'
import { turns } from './words/turns'
import type { MapData } from './types'

export { default as Play } from './Play.svelte'

export const lesson = async () => (await import('./words/lesson')).lesson

export const review = () => import('./words/review')

export const moveText = (lines: readonly LogLine[], map: unknown): string =>
  turns(lines)
    .map((turn) => turnText(new Plan(map as MapData), turn))
    .join(', ')
