import { expect, it } from 'vitest'
import { spotsApart } from './curve'

const BOX = { left: 12, right: 340, top: 12, bottom: 60 }

it('leaves spots that are apart where they are', () => {
  const spots = [
    { x: 40, y: 30 },
    { x: 90, y: 30 },
  ]
  expect(spotsApart(spots, BOX)).toEqual(spots)
})

it('moves close spots apart within the box', () => {
  const spots = [100, 104, 108, 112, 336].map((x) => ({ x, y: 56 }))
  const placed = spotsApart(spots, BOX)
  placed.forEach((one, i) => {
    expect(one.x).toBeGreaterThanOrEqual(BOX.left)
    expect(one.x).toBeLessThanOrEqual(BOX.right)
    expect(one.y).toBeGreaterThanOrEqual(BOX.top)
    expect(one.y).toBeLessThanOrEqual(BOX.bottom)
    for (const other of placed.slice(0, i))
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(24)
  })
})
