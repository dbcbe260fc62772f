/**
 * Faces of people, drawn from a recipe: five digits for skin, hair colour, hair, extra and cheeks.
 *
 * Who has chosen none has the recipe of their name. Coordinates are units of a drawing of 48 by 48
 * around its middle.
 */

/** What a person shows: calm, glad, thinking, surprised. */
export type Mood = 'smile' | 'grin' | 'think' | 'oh'

/** Hair behind the head and before it; nothing for a bald head. */
const HAIR = {
  bob: {
    back: 'M-14 -4C-15 -19 15 -19 14 -4V7C14 10 -14 10 -14 7Z',
    front: 'M-11.5 -3C-11 -14 11 -14 11.5 -3C5 -4 1 -6 -2 -9C-4 -5 -8 -3.5 -11.5 -3Z',
  },
  long: {
    back: 'M-14 -4C-15 -20 15 -20 14 -4L16 15H-16Z',
    front: 'M-11.5 -1C-12 -15 12 -15 11.5 -1C10 -6 6 -9 0 -9.5C-6 -9 -10 -6 -11.5 -1Z',
  },
  puff: {
    back:
      'M-16 -8a16 16 0 1 0 32 0a16 16 0 1 0 -32 0M-18 -1a7 7 0 1 0 14 0a7 7 0 1 0 -14 0' +
      'M4 -1a7 7 0 1 0 14 0a7 7 0 1 0 -14 0',
    front: 'M-11 -5C-9 -13 9 -13 11 -5C5 -8.5 -5 -8.5 -11 -5Z',
  },
  bun: {
    back: 'M-5.5 -19a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0M-13 0C-14 -18 14 -18 13 0Z',
    front: 'M-11.5 -2C-11.5 -15 11.5 -15 11.5 -2C8 -8 3 -9.5 -3 -9.5C-7 -9 -10 -6 -11.5 -2Z',
  },
  quiff: {
    back: '',
    front:
      'M-12 -2C-13 -12 -7 -17 2 -16C9 -18 13 -12 11.6 -2C10.5 -6 9.5 -8.5 7 -9.5' +
      'C2 -7.6 -6 -7.6 -9 -9C-11 -7 -11.4 -4.6 -12 -2Z',
  },
  curls: {
    back: '',
    front:
      'M-11.8 -1.5a4.6 4.6 0 0 1 -.6 -8.4a5 5 0 0 1 6.4 -5.6a6 6 0 0 1 10.4 -.4' +
      'a5 5 0 0 1 7.6 4.8a4.6 4.6 0 0 1 -.2 9.6C11 -6 8 -8.6 4 -8.4C0 -6.6 -8 -9 -11.8 -1.5Z',
  },
  bald: { back: '', front: '' },
} as const

const HAIRS = Object.keys(HAIR) as (keyof typeof HAIR)[]
const EXTRAS = ['none', 'glasses', 'beard', 'earrings', 'headphones', 'cap'] as const
const CHEEKS = ['plain', 'freckles', 'blush'] as const
const SKINS = 10
const HAIR_COLOURS = 8
/** How many there are of each part, in the order of the digits. */
export const PARTS = [SKINS, HAIR_COLOURS, HAIRS.length, EXTRAS.length, CHEEKS.length] as const

export interface Traits {
  skin: number
  hairColour: number
  hair: { back: string; front: string }
  extra: (typeof EXTRAS)[number]
  cheeks: (typeof CHEEKS)[number]
}

/** What a recipe says; a digit without a meaning here wraps round. */
export function traitsOf(recipe: string): Traits {
  const [skin, hairColour, hair, extra, cheeks] = PARTS.map(
    (count, part) => (Number(recipe[part]) || 0) % count,
  )
  return {
    skin: skin!,
    hairColour: hairColour!,
    hair: HAIR[HAIRS[hair!]!],
    extra: EXTRAS[extra!]!,
    cheeks: CHEEKS[cheeks!]!,
  }
}

/** The recipe that numbers make, one for each part. */
const recipeFrom = (number: (part: number) => number): string =>
  PARTS.map((count, part) => number(part) % count).join('')

/** The recipe of a name, the same everywhere. */
export function recipeOf(name: string): string {
  let hash = 2166136261 // FNV-1a
  for (const char of name.normalize('NFC'))
    hash = Math.imul(hash ^ char.codePointAt(0)!, 16777619) >>> 0
  return recipeFrom((part) => {
    hash = Math.imul(hash ^ (hash >>> 15) ^ part, 2246822519) >>> 0
    return hash >>> 8
  })
}

/** A face by chance that is not the one before. */
export function rolledRecipe(before: string): string {
  for (;;) {
    const dice = crypto.getRandomValues(new Uint8Array(PARTS.length))
    const rolled = recipeFrom((part) => dice[part]!)
    if (rolled !== before) return rolled
  }
}
