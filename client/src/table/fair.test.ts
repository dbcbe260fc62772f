import { expect, it } from 'vitest'
import { fairText, sha256 } from './fair'

it('hashes seed and salt as the server does', async () => {
  const seed = '309485009821345068724781056'
  const text = fairText({ seed, salt: 'salt', commitment: '' })
  expect(text).toBe(`headway-fair/1|${seed}|salt`)
  expect(await sha256('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
