export { default as Paper } from './Paper.svelte'
export { default as Play } from './Play.svelte'
