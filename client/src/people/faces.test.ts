import { expect, it } from 'vitest'
import { PARTS, recipeOf, rolledRecipe, traitsOf } from './faces'

it('gives a name always the same face, and names different ones', () => {
  const names = ['Ada', 'Bertrand', 'Chloé', 'Dev', 'Mina', 'Omar', 'Yuki', 'Tess', 'Ravi', 'Ines']
  const recipes = names.map(recipeOf)
  expect(recipes).toEqual(names.map(recipeOf))
  expect(new Set(recipes).size).toBe(names.length)
  expect(recipeOf('Zoe\u0301')).toBe(recipeOf('Zo\u00e9'))
})

it('uses every value of every part', () => {
  const recipes = Array.from({ length: 400 }, (_, k) => recipeOf(`Guest ${k}`))
  for (const [part, count] of PARTS.entries())
    expect(new Set(recipes.map((recipe) => recipe[part])).size).toBe(count)
})

it('writes five digits, which it can read, and reads any others', () => {
  expect(rolledRecipe('00000')).toMatch(/^\d{5}$/)
  expect(traitsOf('31420')).toMatchObject({ skin: 3, hairColour: 1, extra: 'beard' })
  expect(traitsOf('99999').hair).toBeDefined()
  expect(traitsOf('').skin).toBe(0)
})
