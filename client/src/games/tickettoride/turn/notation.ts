/** Moves in the notation of records: `take blue`, `claim a-b#1 blue 1`, `keep 1 2`. */

export type Move =
  | { kind: 'take'; card: string }
  | { kind: 'claim'; route: string; card: string; buses: number }
  | { kind: 'keep'; count: number }
  | { kind: 'tickets' }
  | { kind: 'pass' }

export function parseMove(text: string | null): Move | null {
  const words = (text ?? '').split(' ')
  const [what, one, two, three] = words
  if (what === 'take' && one) return { kind: 'take', card: one }
  if (what === 'claim' && one && two && three)
    return { kind: 'claim', route: one, card: two, buses: Number(three) }
  if (what === 'keep') return { kind: 'keep', count: words.length - 1 }
  if (what === 'tickets' || what === 'pass') return { kind: what }
  return null
}

/** The route that a move takes, if it takes one. */
export function routeOf(text: string | null): string | null {
  const move = parseMove(text)
  return move?.kind === 'claim' ? move.route : null
}

/** The tickets that a move keeps of those that were offered, as far as they are known. */
export const keptTickets = (offered: readonly string[], text: string | null): string[] =>
  (text ?? '').split(' ').flatMap((n) => offered[Number(n) - 1] ?? [])

export interface Payment {
  text: string
  card: string
  /** How many of the cards are buses. */
  buses: number
}

/** The cards that pay for a route of a length, the buses last. */
export const paidCards = (length: number, { card, buses }: Omit<Payment, 'text'>): string[] =>
  Array.from({ length }, (_, k) => (card === 'bus' || k >= length - buses ? 'bus' : card))

/** The ways to pay for each route that can be taken, those that keep most buses first. */
export function payments(legal: readonly string[]): Map<string, Payment[]> {
  const byRoute = new Map<string, Payment[]>()
  for (const text of legal) {
    const move = parseMove(text)
    if (move?.kind !== 'claim') continue
    byRoute.set(move.route, [
      ...(byRoute.get(move.route) ?? []),
      { text, card: move.card, buses: move.buses },
    ])
  }
  for (const ways of byRoute.values()) ways.sort((a, b) => a.buses - b.buses)
  return byRoute
}
