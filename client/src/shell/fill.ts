/** Texts with their values filled in, in the right plural form; `headway.i18n` does the same. */

export type Texts = Record<string, string>
export type Values = Record<string, string | number | null | undefined>

const SOURCE = 'en'
const FIELD = /\{(\w+)(?::((?:\w|\{\w+\})+))?\}/g
const DIGITS = { useGrouping: false, maximumFractionDigits: 20 }

interface Rules {
  plural: Intl.PluralRules
  number: Intl.NumberFormat
}
const rules: Record<string, Rules> = {}
const rulesOf = (lang: string): Rules =>
  (rules[lang] ??= {
    plural: new Intl.PluralRules([lang, SOURCE]),
    number: new Intl.NumberFormat([lang, SOURCE], DIGITS),
  })

/**
 * Returns the text of a key with its `{names}` filled in, or the key if it has no text.
 *
 * Where a text has plural forms, the value of `n` chooses. `{length:spaces}` puts the text
 * `count.spaces` in, with `n = length`; where there are no such forms, `{card:card}` puts the text
 * of an id in, as `card.blue`. A group can be named by a value: `{length:{card}_cards}`.
 */
export function fill(texts: Texts, lang: string, key: string, values: Values): string {
  const text = texts[key] ?? form(texts, lang, key, values.n)
  if (text === undefined) return key
  return text.replace(FIELD, (all, name: string, naming?: string) => {
    const value = values[name]
    if (value === undefined) return all
    const group = naming?.replace(/\{(\w+)\}/g, (_, part: string) => `${values[part]}`)
    if (`count.${group}.other` in texts) return fill(texts, lang, `count.${group}`, { n: value })
    const named = texts[`${group}.${value}`]
    if (named !== undefined) return named
    return typeof value === 'number' ? written(value, lang) : `${value}`
  })
}

function form(texts: Texts, lang: string, key: string, n: Values[string]): string | undefined {
  const category = rulesOf(lang).plural.select(Number(n))
  return texts[`${key}.${category}`] ?? texts[`${key}.other`]
}

/** Writes a number as a language does, with a true minus sign. */
export const written = (value: number, lang: string): string =>
  rulesOf(lang).number.format(value).replace('-', '−')

/** Writes points that are won or lost with their sign: "+4", "−3"; nothing has none. */
export const withSign = (points: number, lang: string): string =>
  `${points > 0 ? '+' : ''}${written(points, lang)}`

/** Returns a text in a language, else in English, else in any that it has. */
export const inOneOf = (words: Texts, lang: string): string =>
  words[lang] || words[SOURCE] || (Object.values(words)[0] ?? '')
