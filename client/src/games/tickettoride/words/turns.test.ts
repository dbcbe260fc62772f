import { describe, expect, it } from 'vitest'
import { figures, turns } from './turns'

const said: [number, number, string][] = [
  [0, -1, 'first 1'],
  [0, -1, 'card 0 blue'],
  [1, 0, 'keep 1'],
  [2, 1, 'keep ? ?'],
  [3, 1, 'take blue'],
  [3, -1, 'display pink'],
  [3, 1, 'take pile'],
  [3, -1, 'card 1 ?'],
  [4, 0, 'take pile'],
  [4, -1, 'card 0 green'],
  [4, 0, 'take bus'],
  [4, -1, 'display bus'],
  [5, 1, 'tickets'],
  [5, -1, 'ticket 1 ?'],
  [5, 1, 'keep ?'],
  [6, 0, 'claim a-b green 1'],
  [7, 1, 'take bus'],
  [8, 0, 'claim c-d bus 2'],
]
const log = said.map(([turn, seat, text], number) => ({ number, seat, text, turn }))

describe('the turns of a game', () => {
  it('has a line for each turn', () => {
    expect(
      turns(log).map((turn) => [turn.seat, turn.moves.map((move) => move.kind).join()]),
    ).toEqual([
      [0, 'keep'],
      [1, 'keep'],
      [1, 'take,take'],
      [0, 'take,take'],
      [1, 'tickets,keep'],
      [0, 'claim'],
      [1, 'take'],
      [0, 'claim'],
    ])
  })

  it('names a card from the pile to its owner, and to nobody at a shared screen', () => {
    const piles = (blind: boolean) =>
      turns(log, blind)
        .flatMap((turn) => turn.moves)
        .filter((move) => move.kind === 'take' && move.card === 'pile')
        .map((move) => move.drawn)
    expect(piles(false)).toEqual([undefined, 'green'])
    expect(piles(true)).toEqual([undefined, undefined])
  })

  it('can be counted', () => {
    expect(figures(log, 0)).toEqual({ faceUp: 1, pile: 1, wild: 3, routes: 2, wait: 1 })
    expect(figures(log, 1)).toEqual({ faceUp: 2, pile: 1, wild: 0, routes: 0, wait: 3 })
  })
})
