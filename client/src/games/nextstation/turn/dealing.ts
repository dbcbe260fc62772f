/**
 * What was dealt, asked for in small questions. The server lists all that can have been dealt; each
 * answer leaves fewer of them, until one is left.
 */

interface Question {
  kind: 'pencils' | 'objectives' | 'powers' | 'symbol' | 'effect' | 'card'
  /** Whose pencil, and in which round from 1. */
  seat: number
  round: number
  /** Whose power. */
  colour: string
  answers: string[]
}

const EMPTY = { seat: 0, round: 0, colour: '' }
const fields = (deal: string): string[] => deal.split(' ').slice(1)

/** A deal as the answers that tell it, in the order in which they are asked for. */
function answersOf(deal: string): string[] {
  const parts = fields(deal)
  if (!deal.startsWith('pencils ')) return parts
  // By round, then seat: who began with which pencil is what people remember best.
  const rows = parts
    .join(' ')
    .split(' / ')
    .map((row) => row.split(' '))
  return rows[0]!.flatMap((_, round) => rows.map((row) => row[round]!))
}

/** The deals that fit the answers, and what to ask next; null once a single one is left. */
export function narrow(
  deals: string[],
  answers: string[],
): { left: string[]; next: Question | null } {
  let left = deals
  for (const answer of answers) {
    const asked = question(left, answers)
    if (!asked) break
    left = left.filter((deal) => fits(deal, left, answer))
  }
  return { left, next: left.length > 1 ? question(left, answers) : null }
}

function fits(deal: string, left: string[], answer: string): boolean {
  if (deal.startsWith('objectives ')) return fields(deal).includes(answer)
  return answersOf(deal)[open(left)] === answer
}

/** The first answer in which the deals differ. */
function open(deals: string[]): number {
  const all = deals.map(answersOf)
  return all[0]!.findIndex((answer, at) => all.some((other) => other[at] !== answer))
}

function question(left: string[], given: string[]): Question | null {
  const kind = left[0]?.split(' ')[0]
  if (!kind) return null
  if (kind === 'objectives') {
    const ids = new Set(left.flatMap(fields).filter((id) => !given.includes(id)))
    return { ...EMPTY, kind, answers: [...ids] }
  }
  const at = left.length > 1 ? open(left) : 0
  const answers = [...new Set(left.map((deal) => answersOf(deal)[at]!))]
  if (kind === 'pencils') {
    const seats = fields(left[0]!).filter((field) => field === '/').length + 1
    return { ...EMPTY, kind, seat: at % seats, round: Math.floor(at / seats) + 1, answers }
  }
  if (kind === 'powers') return { ...EMPTY, kind, colour: answers[0]!.split(':')[0]!, answers }
  if (kind === 'special') return { ...EMPTY, kind: at ? 'effect' : 'symbol', answers }
  return { ...EMPTY, kind: 'card', answers }
}
