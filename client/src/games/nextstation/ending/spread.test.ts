import { expect, it } from 'vitest'
import { spread } from './spread'

it('leaves names where they are, and moves those apart that would meet', () => {
  expect(spread([50, 150, 300], 60, 360)).toEqual([50, 150, 300])
  expect(spread([100, 110, 120], 60, 360)).toEqual([100, 160, 220])
  expect(spread([5, 340, 350], 60, 360)).toEqual([30, 270, 330])
})
