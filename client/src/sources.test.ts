import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { screens } from './shell/screens'

const LONGEST_LINE = 100
const LONGEST_FILE = 350
const GENERATED = './api/schema.d.ts'

// Vite knows which files there are; their text comes from the disk, as it was written.
const sources = Object.keys(import.meta.glob('./**/*.{ts,svelte,css}'))
  .filter((path) => path !== GENERATED)
  .map((path) => {
    const text = readFileSync(new URL(path, import.meta.url), 'utf-8')
    const style = path.endsWith('.css') ? text : (/<style>.*<\/style>/s.exec(text)?.[0] ?? '')
    return { path, text, style, lines: text.split('\n') }
  })

/** What a property is set to, with the component it stands in. */
const values = (property: string) =>
  sources.flatMap(({ path, style }) =>
    Array.from(style.matchAll(new RegExp(`^\\s+${property}:\\s+([^;]+);`, 'gm')), ([, value]) => ({
      path,
      value: value!,
    })),
  )

it('finds the sources and reads them, style sheets too', () => {
  const paths = sources.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['./App.svelte', './app.css', './main.ts']))
  expect(sources.filter(({ lines }) => lines.length < 2)).toEqual([])
  expect(values('font-size').length).toBeGreaterThan(50)
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

it('has five font sizes; drawings have units of their own', () => {
  const size = /^(inherit|(min|max|clamp)\([^)]*var\(--.*|var\(--(tiny|small|text|title|huge)\))$/
  const drawn = new Set(sources.flatMap(({ path, text }) => (/<text/.test(text) ? [path] : [])))
  const others = values('font-size').filter(
    ({ path, value }) => !size.test(value) && !(drawn.has(path) && value.endsWith('px')),
  )
  expect(others).toEqual([])
  expect(values('font').filter(({ value }) => value !== 'inherit')).toEqual([])
})

it('has four corners, and that of the paper', () => {
  const corner = /^(min\()?((0|50%|var\(--(corner(-card|-sheet|-paper)?|round)\))[, )]*)+$/
  expect(values('border-radius').filter(({ value }) => !corner.test(value))).toEqual([])
})

it('has six spaces, and lines of one or two pixels', () => {
  const spaces = [0, 1, 2, 4, 8, 12, 16, 24, 40]
  const lengths = (value: string) => Array.from(value.matchAll(/([\d.]+)px/g), ([, px]) => +px!)
  const others = values('(?:margin|padding|(?:row-|column-)?gap)[a-z-]*').filter(
    ({ value }) => !lengths(value).every((px) => spaces.includes(px)),
  )
  expect(others).toEqual([])
})

it('has one elevation; other shadows lie inside or are sharp', () => {
  const known = /^(none|var\(--lift\)|inset .*|-?\S+ -?\S+ (0 (\S+ )?)?(var|color-mix)\(.*)$/s
  const shadows = values('box-shadow').flatMap(({ path, value }) =>
    value.split(/,\s+(?=inset|var\(--lift|-?\d)/).map((shadow) => ({ path, shadow })),
  )
  expect(shadows.filter(({ shadow }) => !known.test(shadow))).toEqual([])
})

it('takes every colour from the palette', () => {
  const literal = /#[0-9a-f]{3,8}\b(?=["';, )])|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\((?!in )/i
  expect(sources.filter(({ text }) => literal.test(text)).map(({ path }) => path)).toEqual([])
  const named = /^(?!.*--)\b(white|black|gr[ae]y|red|green|blue|yellow|orange|purple)\b/
  const painted = values('(?:color|background|background-color|border-color|fill|stroke)')
  expect(painted.filter(({ value }) => named.test(value))).toEqual([])
})

it('asks for the room on a screen by name', () => {
  const queries = sources.flatMap(({ style }) =>
    Array.from(style.matchAll(/@media ([^{]+) \{/g), ([, query]) => query!),
  )
  const known = Object.keys(screens).map((name) => `(--${name})`)
  const sizes = queries
    .flatMap((query) => query.split(', '))
    .filter((q) => !/prefers|hover/.test(q))
  expect(sizes.filter((query) => !known.includes(query))).toEqual([])
})
