/** Everything that a table with a coach loads, in one file. */

export { default as Coach } from './Coach.svelte'
export { Coaching } from './coaching.svelte'
