/** Every text comes from the server's catalogue, by key. */

import * as server from '../api/server'
import { fill, inOneOf, type Texts, type Values, withSign, written } from './fill'
import { ownLanguage, prefer, settings } from './preferences.svelte'

const catalogues: Record<string, Texts> = {}
let texts: Texts = $state.raw({})
let wanted = ''

/** Loads a language and switches the whole page to it, unless another one is wanted by then. */
export async function speak(lang: string, keep = false): Promise<void> {
  wanted = lang
  const catalogue = (catalogues[lang] ??= await server.texts(lang))
  if (wanted !== lang) return
  texts = catalogue
  document.documentElement.lang = lang
  if (keep) prefer({ lang })
}

/** Speaks the language that the player chose; the page's own where that is gone. */
export async function speakChosen(): Promise<void> {
  await speak(settings.lang).catch((error: unknown) => {
    if (!(error instanceof server.Refused)) throw error
    return speak(ownLanguage, true)
  })
}

/** Returns the text of a key with its `{names}` filled in, or the key if it has no text. */
export const say = (key: string, values: Values = {}): string =>
  fill(texts, settings.lang, key, values)

/** Returns why something failed: the server's refusal, or one that says that nobody answered. */
export function refusalOf(error: unknown): server.Refused {
  if (error instanceof server.Refused) return error
  const sentence = say('web.lost')
  return new server.Refused(503, { rule: '', key: '', sentence, lang: '', place: '', line: 0 })
}

/** Returns why something failed, in words. */
export const reasonOf = (error: unknown): string => refusalOf(error).message

/** A number as the language writes it, with a true minus sign. */
export const figure = (value: number): string => written(value, settings.lang)

/** Points that are won or lost: "+4", "−3". */
export const signed = (points: number): string => withSign(points, settings.lang)

/** Whether the catalogue knows a key. */
export const hasText = (key: string): boolean => key in texts

const NAME = 'web.languages.'

/** All languages, each by its own name. */
export const languages = (): { value: string; text: string }[] =>
  Object.entries(texts)
    .filter(([key]) => key.startsWith(NAME))
    .map(([key, text]) => ({ value: key.slice(NAME.length), text }))

/** A text that comes in several languages. */
export const inLanguage = (words: Record<string, string>): string => inOneOf(words, settings.lang)

/** The locale of dates and numbers; English here is that of London. */
export const locale = (): string => (settings.lang === 'en' ? 'en-GB' : settings.lang)

/** A day, or an hour of it, given by a time in seconds. */
export const date = (
  at: number,
  form: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string => new Intl.DateTimeFormat(locale(), form).format(at * 1000)

/** Names in a row, as the language puts them: "Ada, Ben and Cleo". */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names)
