/** What the screen has room for; `table.css` and the games ask with the same queries. */

import { MediaQuery } from 'svelte/reactivity'

/** No room beside the board: everything else stands above and below it. */
export const stacked = new MediaQuery(
  '(max-width: 599px), (max-width: 900px) and (orientation: portrait)',
)

/** A phone on its side: the board fills the height, everything else stands beside it. */
export const flat = new MediaQuery('(max-height: 480px) and (min-width: 600px)')

/** Room for the rules beside a board and what stands beside it. */
export const roomy = new MediaQuery('(min-width: 1200px) and (min-height: 481px)')

/** Room for everything at its full size. */
export const wide = new MediaQuery('(min-width: 901px) and (min-height: 481px)')
