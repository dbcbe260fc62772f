/** The keys at a table, in every game; those of a board are `key` in `games/pointing.svelte.ts`. */

import type { AnyTurn } from './turn.svelte'

/** Lets Escape and Backspace take back what was chosen, but not where somebody types. */
export function pressTableKey(turn: AnyTurn, event: KeyboardEvent): void {
  turn.means = 'key'
  if (event.key !== 'Escape' && event.key !== 'Backspace') return
  if (event.target instanceof HTMLInputElement || document.querySelector('dialog:modal')) return
  if (!turn.acting || !turn.canTakeBack) return
  event.preventDefault()
  void turn.takeBack()
}
