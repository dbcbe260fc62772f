import './colours.css'

export { default as Play } from './Play.svelte'

export const lesson = async () => (await import('./lesson')).lesson
