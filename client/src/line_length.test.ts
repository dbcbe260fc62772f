import { expect, it } from 'vitest'

const LONGEST = 100
const GENERATED = './api/schema.d.ts'

// Prettier leaves comments, markup attributes and long strings as they are.
it('keeps every line of every source within 100 columns', () => {
  const sources = import.meta.glob<string>('./**/*.{ts,svelte,css}', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const long = Object.entries(sources)
    .filter(([path]) => path !== GENERATED)
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, k) => (line.length > LONGEST ? [`${path}:${k + 1}`] : [])),
    )
  expect(Object.keys(sources)).toContain('./App.svelte')
  expect(long).toEqual([])
})
