/** The turns of a game, read from its log, and the figures that follow from them. */

import type { LogLine } from '../../../api/schema'
import { type Move, parseMove } from '../turn/notation'

/** A move; a card from the pile is named to those who saw it. */
export type SeenMove = Move & { drawn?: string }

/** What a seat did in a turn. */
export interface Turn {
  number: number
  turn: number
  seat: number
  moves: SeenMove[]
  /** The lines of the log that tell it. */
  lines: number[]
}

/** Turn after turn. `blind` hides what the log tells one seat alone: others look on too. */
export function turns(log: readonly LogLine[], blind = false): Turn[] {
  const list: Turn[] = []
  for (const line of log) {
    if (line.seat < 0) {
      drawn(list, line.text, blind)
      continue
    }
    const move = parseMove(line.text)
    if (!move) continue
    const last = list.at(-1)
    const { number, turn, seat } = line
    if (last?.turn !== turn) list.push({ number, turn, seat, moves: [move], lines: [number] })
    else {
      last.moves.push(move)
      last.lines.push(number)
    }
  }
  return list
}

/** `card 0 blue`: what came from the pile, to the last seat that took from it. */
function drawn(list: Turn[], text: string, blind: boolean): void {
  const [what, seat, card] = text.split(' ')
  const last = list.at(-1)
  if (what !== 'card' || !last || last.seat !== Number(seat) || !card || card === '?' || blind)
    return
  const move = last.moves.at(-1)
  if (move?.kind === 'take' && move.card === 'pile') move.drawn = card
}

/** What a seat did in a whole game. */
interface Figures {
  faceUp: number
  pile: number
  /** Buses among the cards that were paid with. */
  wild: number
  routes: number
  /** The most turns in a row without a route. */
  wait: number
}

export function figures(log: readonly LogLine[], seat: number): Figures {
  const counts: Figures = { faceUp: 0, pile: 0, wild: 0, routes: 0, wait: 0 }
  let wait = 0
  for (const turn of turns(log)) {
    if (turn.seat !== seat || turn.moves[0]!.kind === 'keep') continue
    for (const move of turn.moves) {
      if (move.kind === 'take') counts[move.card === 'pile' ? 'pile' : 'faceUp']++
      if (move.kind === 'claim') {
        counts.routes++
        counts.wild += move.buses
      }
    }
    wait = turn.moves[0]!.kind === 'claim' ? 0 : wait + 1
    counts.wait = Math.max(counts.wait, wait)
  }
  return counts
}
