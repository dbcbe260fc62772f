/** Every text comes from the server's catalogue, by key. */

import * as server from '../api/server'
import { type Lang, prefer, settings } from './settings.svelte'

const catalogues: Partial<Record<Lang, Record<string, string>>> = {}
let catalogue: Record<string, string> = $state.raw({})

/** Loads a language and switches the whole page to it. */
export async function speak(lang: Lang, keep = false): Promise<void> {
  const found = (catalogues[lang] ??= await server.texts(lang))
  catalogue = found
  document.documentElement.lang = lang
  if (keep) prefer({ lang })
}

export type Values = Record<string, string | number | null | undefined>

/** The text of a key with its `{names}` filled in; the key itself where there is none. */
export function say(key: string, values: Values = {}): string {
  const text = catalogue[key]
  if (text === undefined) return key
  return text.replace(/\{(\w+)\}/g, (all, name: string) =>
    name in values ? `${values[name]}` : all,
  )
}

/** Whether the catalogue knows a key. */
export const known = (key: string): boolean => key in catalogue

/** A text that comes in all languages. */
export const inLanguage = (text: Record<string, string>): string =>
  text[settings.lang] ?? text.en ?? ''
