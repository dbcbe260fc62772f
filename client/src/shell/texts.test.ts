import { expect, it, vi } from 'vitest'
import { say, speak } from './texts.svelte'
import { settings } from './preferences.svelte'

/** The languages that the server was asked for, each with what answers. */
const asked: Record<string, (texts: Record<string, string>) => void> = {}

vi.mock('../api/server', () => ({
  Refused: Error,
  texts: (lang: string) => new Promise((answer) => (asked[lang] = answer)),
}))

it('speaks the language that was chosen last, however late another one comes', async () => {
  const languages = [speak('fr', true), speak('en', true)]
  asked.en!({ hello: 'Hello' })
  await languages[1]
  asked.fr!({ hello: 'Bonjour' })
  await languages[0]
  expect([say('hello'), settings.lang]).toEqual(['Hello', 'en'])
  await speak('fr', true) // it is here already
  expect([say('hello'), settings.lang]).toEqual(['Bonjour', 'fr'])
})
