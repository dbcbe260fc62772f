/** The catalogue as its files have it, for tests: no server is needed to say something. */

import type { Texts } from './fill'

const files = import.meta.glob<string>('../../../src/headway/**/texts/*.toml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Returns the texts of a language that stand on one line. */
export function catalogue(lang: string): Texts {
  const texts: Texts = {}
  for (const [path, file] of Object.entries(files)) {
    if (!path.endsWith(`/${lang}.toml`)) continue
    let section = ''
    for (const line of file.split('\n')) {
      section = /^\[(.+)\]$/.exec(line)?.[1] ?? section
      const [, key, text] = /^([\w.-]+) = ("(?!"").*")$/.exec(line) ?? []
      if (key && text) texts[`${section}.${key}`] = JSON.parse(text) as string
    }
  }
  return texts
}
