import { expect, it } from 'vitest'

const LONGEST_LINE = 100
const LONGEST_FILE = 350
const GENERATED = './api/schema.d.ts'

const sources = Object.entries(
  import.meta.glob<string>('./**/*.{ts,svelte,css}', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
  .filter(([path]) => path !== GENERATED)
  .map(([path, text]) => ({ path, lines: text.split('\n') }))

it('finds the sources and reads them, style sheets too', () => {
  expect(sources.map(({ path }) => path)).toContain('./App.svelte')
  expect(sources.filter(({ lines }) => lines.length < 2)).toEqual([])
})

// Prettier leaves comments, markup attributes and long strings as they are.
it('keeps every line of every source within 100 columns', () => {
  const long = sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, k) => (line.length > LONGEST_LINE ? [`${path}:${k + 1}`] : [])),
  )
  expect(long).toEqual([])
})

it('splits sources before they have several subjects', () => {
  const long = sources.filter(({ lines }) => lines.length > LONGEST_FILE)
  expect(long.map(({ path }) => path)).toEqual([])
})
