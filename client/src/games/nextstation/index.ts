import type { MapData } from './types'

export { default as Miniature } from './Miniature.svelte'
export { default as Play } from './Play.svelte'

export const lesson = async (map: unknown) => (await import('./lesson')).lesson(map as MapData)
