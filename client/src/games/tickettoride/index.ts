import './colours.css'

export { default as Play } from './Play.svelte'
