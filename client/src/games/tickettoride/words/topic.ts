/** Where the rules open: the topic of what the page shows. */

import type { View } from '../types'

export function topicOf(
  { phase, taken, finished }: Pick<View, 'phase' | 'taken' | 'finished'>,
  route: string | null,
): string {
  if (finished) return 'the-end'
  if (route) return 'take-a-route'
  if (phase === 'keep') return 'take-tickets'
  if (taken) return 'take-cards'
  return phase === 'opening' ? 'before-the-first-turn' : 'your-turn-one-of-three-things'
}
