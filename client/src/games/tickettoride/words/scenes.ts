/** What the others and I do, as scenes of the timeline. */

import type { LogLine, TableView } from '../../../api/schema'
import type { Scene, Step, Story } from '../../../table/timeline.svelte'
import type { Plan } from '../board/plan'
import { type Move, paidCards, parseMove } from '../turn/notation'
import type { View } from '../types'

/** A part of a scene of the game. */
export type RideStep = Step & {
  /** `light`: the seat lights up; the others as they say. */
  kind: 'light' | 'fly' | 'flip' | 'pay' | 'drive' | 'points'
  /** What flies: the colour of a card, or the back of one from `pile` or `tickets`. */
  card?: string
  /** Where a face-up card lay. */
  slot?: number
  /** What is paid. */
  cards?: string[]
  route?: string
  points?: number
}

const LIGHT_MS = 200
const FLY_MS = 360
const FLIP_MS = 760
const DRIVE_MS = [420, 550, 680, 810]
const POINTS_MS = 500

interface LoggedMove {
  line: LogLine
  move: Move
  /** What came from the pile, if the page was told. */
  drawn: string | null
}

export function storyOf(plan: Plan): Story<RideStep> {
  return {
    scenes: (before, after) => scenes(plan, before, after),
    rewind: (table, number) => rewind(plan, table, number),
  }
}

/** The moves of a log from a line on, with what they brought. */
function movesFrom(log: readonly LogLine[], number: number): LoggedMove[] {
  const list: LoggedMove[] = []
  for (const line of log) {
    if (line.number < number) continue
    const move = line.seat < 0 ? null : parseMove(line.text)
    if (move) list.push({ line, move, drawn: null })
    const [what, seat, card] = line.text.split(' ')
    const last = list.at(-1)
    if (line.seat < 0 && what === 'card' && card !== '?' && last?.line.seat === Number(seat))
      last.drawn = card ?? null
  }
  return list
}

function scenes(plan: Plan, before: TableView, after: TableView): Scene<RideStep>[] {
  const told = movesFrom(after.log, (before.log.at(-1)?.number ?? -1) + 1)
  let table = before
  return told.map((one, i) => {
    const next = told[i + 1]
    const done = { ...played(plan, table, one), log: upTo(after.log, next?.line.number) }
    if (next) done.views = eachView(done, () => ({ actors: [next.line.seat] }))
    const { number, seat } = one.line
    const own = after.seats[seat]?.mine === true
    // The last move of the game: it ends when that has been told.
    const now = next || after.finished ? done : after
    const steps = own ? ownSteps(plan, table, now, one) : othersSteps(plan, table, one)
    table = done
    return { number, seat, steps }
  })
}

const upTo = (log: readonly LogLine[], number = Infinity) =>
  log.filter((line) => line.number < number)

/** What somebody else does: cards leave the supply first, points come last. */
function othersSteps(plan: Plan, table: TableView, { line, move }: LoggedMove): RideStep[] {
  const light: RideStep = { kind: 'light', ms: LIGHT_MS }
  if (move.kind === 'take' || move.kind === 'tickets') {
    const card = move.kind === 'tickets' ? 'tickets' : move.card
    return [light, { kind: 'fly', ms: FLY_MS, card, ...leaving(table, card) }]
  }
  if (move.kind !== 'claim') return [light]
  const route = plan.route.get(move.route)!
  const { points } = route
  const cards = paidCards(route.length, move)
  const [kept, done] = [viewOf(table), played(plan, table, { line, move, drawn: null })]
  const driven = { ...done, views: eachView(done, () => ({ points: kept.points })) }
  return [
    light,
    { kind: 'pay', ms: LIGHT_MS, cards },
    { kind: 'drive', ms: driveMs(cards.length), route: move.route, table: driven },
    { kind: 'points', ms: POINTS_MS, route: move.route, points },
  ]
}

/** What I do: I may go on at once; what I drew from the pile is turned over. */
function ownSteps(plan: Plan, before: TableView, now: TableView, told: LoggedMove): RideStep[] {
  const { line, move, drawn } = told
  const alone = now.seats.filter((seat) => seat.mine).length === 1
  if (move.kind === 'claim') {
    const { points } = plan.route.get(move.route)!
    const waits = { ...now, views: eachView(now, () => ({ points: viewOf(before).points })) }
    const length = plan.route.get(move.route)!.length
    return [
      { kind: 'drive', ms: driveMs(length), route: move.route, table: waits },
      { kind: 'points', ms: POINTS_MS, route: move.route, points, table: now },
    ]
  }
  if (move.kind !== 'take') return []
  if (move.card !== 'pile') {
    const slot = viewOf(before).display.indexOf(move.card)
    return [{ kind: 'fly', ms: FLY_MS, card: move.card, slot, table: now }]
  }
  if (!drawn || !alone) return [{ kind: 'fly', ms: FLY_MS, card: 'pile', table: now }]
  const { hand } = before.views[`${line.seat}`] as unknown as View
  const hidden = { ...now, views: eachView(now, () => ({ hand })) }
  return [
    { kind: 'flip', ms: FLIP_MS, card: drawn, table: hidden },
    { kind: 'fly', ms: FLY_MS, card: drawn, table: now },
  ]
}

const driveMs = (length: number) => DRIVE_MS[length - 1] ?? DRIVE_MS.at(-1)!

/** The table while a card is on its way. */
function leaving(table: TableView, card: string): { slot?: number; table: TableView } {
  const view = viewOf(table)
  const slot = view.display.indexOf(card)
  const change: Partial<View> =
    card === 'pile'
      ? { pile: view.pile - 1 }
      : card === 'tickets'
        ? {}
        : { display: view.display.map((kind, k) => (k === slot ? null : kind)) }
  return {
    ...(slot >= 0 && { slot }),
    table: { ...table, views: eachView(table, () => change) },
  }
}

// --- tables before and after a move, as far as everybody sees them

const viewOf = (table: TableView) => Object.values(table.views)[0] as unknown as View

const eachView = (table: TableView, change: (view: View) => Partial<View>) =>
  Object.fromEntries(
    Object.entries(table.views).map(([seat, view]) => [
      seat,
      { ...view, ...change(view as unknown as View) },
    ]),
  ) as TableView['views']

const plus = (values: readonly number[], seat: number, more: number) =>
  values.map((value, who) => (who === seat ? value + more : value))

/** A table after a move; nobody can act at it. */
function played(plan: Plan, table: TableView, { line, move }: LoggedMove): TableView {
  const views = eachView(table, (view) => changed(plan, view, line.seat, move, 1))
  return { ...table, legal: {}, can_undo: {}, views }
}

/** A table before the line of its log with this number. */
function rewind(plan: Plan, table: TableView, number: number): TableView {
  const undone = movesFrom(table.log, number).toReversed()
  let views = table.views
  for (const { line, move } of undone)
    views = eachView({ ...table, views }, (view) => changed(plan, view, line.seat, move, -1))
  const seat = undone.at(-1)?.line.seat
  if (seat !== undefined) views = eachView({ ...table, views }, () => ({ actors: [seat] }))
  return { ...table, legal: {}, can_undo: {}, views, log: upTo(table.log, number) }
}

/** What a move changes for all to see; `times` is -1 to take it back. */
function changed(plan: Plan, view: View, seat: number, move: Move, times: 1 | -1): Partial<View> {
  if (move.kind === 'keep') return { tickets: plus(view.tickets, seat, times * move.count) }
  if (move.kind === 'take') return { hands: plus(view.hands, seat, times) }
  if (move.kind !== 'claim') return {}
  const route = plan.route.get(move.route)!
  const length = route.length
  const others = Object.entries(view.routes).filter(([name]) => name !== move.route)
  return {
    routes: Object.fromEntries(times > 0 ? [...others, [move.route, seat]] : others),
    points: plus(view.points, seat, times * route.points),
    buses: plus(view.buses, seat, -times * length),
    hands: plus(view.hands, seat, -times * length),
  }
}
