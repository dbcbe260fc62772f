/** Moves as text, exactly as records write them: `!joker d2a2 +a2c4 *a2`. */

export type Way = '' | '!joker' | '!switch' | '~'
export type Pair = readonly [from: string, to: string]

/** A move taken apart; a section of null is a pass. */
export interface Parts {
  way: Way
  double: boolean
  section: Pair | null
  second: Pair | null
  circle: string | null
}

const STATION = '([a-z][0-9])'
const MOVE = new RegExp(
  `^(?:(!joker|!switch|~) )?(?:pass|(=)?${STATION}${STATION})` +
    `(?: \\+${STATION}${STATION})?(?: \\*${STATION})?$`,
)

/** What a move consists of; null for a text that is none. */
export function parseMove(text: string | null): Parts | null {
  const match = MOVE.exec(text ?? '')
  if (!match) return null
  const [, way, double, a, b, c, d, circle] = match
  return {
    way: (way ?? '') as Way,
    double: double !== undefined,
    section: a && b ? [a, b] : null,
    second: c && d ? [c, d] : null,
    circle: circle ?? null,
  }
}

/** The sections that a move draws. */
export const sectionsOf = (move: Parts | null): Pair[] =>
  [move?.section, move?.second].filter((part) => part != null)

/** Whether a move uses a power or an effect. */
export const usesExtra = ({ way, second, circle }: Parts): boolean =>
  way !== '' || second !== null || circle !== null

/** The text of a move; the inverse of `parseMove`. */
export const moveText = ({ way, double, section, second, circle }: Parts): string =>
  [
    way,
    section ? (double ? '=' : '') + section.join('') : 'pass',
    second && `+${second.join('')}`,
    circle && `*${circle}`,
  ]
    .filter(Boolean)
    .join(' ')

/** The two stations of a section as views write it, `d2a2` or `=d2a2`. */
export function pair(section: string): Pair {
  const plain = section.replace('=', '')
  return [plain.slice(0, 2), plain.slice(2)]
}
