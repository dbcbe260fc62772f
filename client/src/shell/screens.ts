/** What the screen has room for; style sheets ask with `@media (--narrow)`. */

const PHONE = 599
const NARROW = 900
const LOW = 480

/** The queries by name; the build puts them into the style sheets. */
export const screens = {
  phone: `(max-width: ${PHONE}px)`,
  narrow: `(max-width: ${NARROW}px)`,
  low: `(max-height: ${LOW}px)`,
  /** No room beside the board: everything else stands above and below it. */
  stacked: `(max-width: ${PHONE}px), (max-width: ${NARROW}px) and (orientation: portrait)`,
  /** A phone on its side: the board fills the height, everything else stands beside it. */
  flat: `(max-height: ${LOW}px) and (min-width: ${PHONE + 1}px)`,
  /** Room for everything at its full size. */
  wide: `(min-width: ${NARROW + 1}px) and (min-height: ${LOW + 1}px)`,
  /** Room for two columns beside a board. */
  grand: `(min-width: ${Math.round(1.7 * NARROW)}px) and (min-height: ${LOW + 1}px)`,
  /** Room for the rules beside a board and what stands beside it. */
  roomy: `(min-width: ${(4 * NARROW) / 3}px) and (min-height: ${LOW + 1}px)`,
} as const
