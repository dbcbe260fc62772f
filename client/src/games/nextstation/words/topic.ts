/** Where the rules open: the topic of what the page shows. */

import type { View } from '../types'

interface Shown {
  view: Pick<View, 'card' | 'finished' | 'switch'>
  /** Whether the points of a round are counted just now. */
  counting: boolean
  /** Whether a power or an effect is armed, and which of the two. */
  armed: 'power' | 'effect' | null
  /** Whether the city has a loop line, as Tokyo has. */
  loop: boolean
}

export function topicOf({ view, counting, armed, loop }: Shown): string {
  if (counting) return 'scoring-a-line'
  if (view.finished) return `${loop ? 'tokyo' : 'london'}-the-end-of-the-game`
  if (armed) return armed === 'power' ? 'pencil-powers' : 'special-stations'
  if (!view.card) return 'a-turn'
  return view.switch ? 'the-switch' : 'where-a-line-may-go'
}
