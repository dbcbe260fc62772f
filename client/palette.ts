/** The colours that Python's pictures and the client share, from `src/headway/palette.toml`. */

import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { screens } from './src/shell/screens'

const FILE = new URL('../src/headway/palette.toml', import.meta.url)
const MODULE = /^palette:([\w-]+)\.css$/
const EVERYWHERE = ['pictures', 'pages']

/**
 * Returns where the colours of a section hold, and how their names begin: those of a game begin with
 * its name; those of a board, which has a `map`, hold on it and on the page of its table.
 */
function scope(section: string, names: Map<string, unknown>): [string, string] {
  if (EVERYWHERE.includes(section)) return [':root', '']
  if (!names.has('map')) return [':root', `${section}-`]
  return [`:root:has(.table.city-${section}),\n.city-${section}`, '']
}

/** Returns the colours of a section by name: by day, by night. */
function colours(section: string): Map<string, [string, string]> {
  const text = readFileSync(FILE, 'utf-8').split(`[${section}]`)[1]?.split('\n[')[0]
  if (text === undefined) throw new Error(section)
  const lines = text.matchAll(/^([\w-]+) = \["(#\w+)", "(#\w+)"\]/gm)
  return new Map(Array.from(lines, ([, name, day, night]) => [name!, [day!, night!]]))
}

/** Serves `palette:SECTION.css`, the colours of a section as variables, and fills the page's file. */
export const palette = (): Plugin => ({
  name: 'palette',
  resolveId: (id) => (MODULE.test(id) ? `\0${id}` : null),
  load(id) {
    const section = MODULE.exec(id.slice(1))?.[1]
    if (!section) return null
    const found = colours(section)
    const [selector, prefix] = scope(section, found)
    const lines = Array.from(
      found,
      ([name, [day, night]]) => `--${prefix}${name}: light-dark(${day}, ${night});`,
    )
    return `${selector} {\n${lines.join('\n')}\n}`
  },
  transformIndexHtml: (html) => html.replace('PAPER', colours('pictures').get('paper')![0]),
})

/** Puts the queries of `screens` into style sheets: `@media (--narrow)`. */
export const media = (): Plugin => ({
  name: 'media',
  enforce: 'pre',
  transform: {
    filter: { id: /\.css$/ },
    handler: (code) =>
      code.replace(/@media [^{]+/g, (query) =>
        query.replace(/\(--(\w+)\)/g, (_, name: keyof typeof screens) => screens[name]),
      ),
  },
})
