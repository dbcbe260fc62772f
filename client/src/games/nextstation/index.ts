export { default as Play } from './Play.svelte'
