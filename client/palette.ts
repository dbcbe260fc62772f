/** The colours that Python's pictures and the client share, from `src/headway/palette.toml`. */

import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { screens } from './src/shell/screens'

const FILE = new URL('../src/headway/palette.toml', import.meta.url)
const MODULE = /^palette:([\w-]+)\.css$/
const EVERYWHERE = ['pictures', 'pages'] // other sections are of a game, and begin with its name

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
    const prefix = EVERYWHERE.includes(section) ? '' : `${section}-`
    const lines = Array.from(
      colours(section),
      ([name, [day, night]]) => `--${prefix}${name}: light-dark(${day}, ${night});`,
    )
    return `:root {\n${lines.join('\n')}\n}`
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
