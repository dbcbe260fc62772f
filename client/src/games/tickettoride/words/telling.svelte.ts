/** What the page says in words: whose turn it is, what the others did, how the game ends. */

import { untrack } from 'svelte'
import { announce } from '../../../shell/announce.svelte'
import { show } from '../../../shell/page.svelte'
import { say, signed } from '../../../shell/texts.svelte'
import { isYou, playerName, seatName } from '../../../table/names'
import { standInText } from '../../../table/standIn'
import type { Step } from '../ending/count'
import type { Drafting } from '../turn/drafting.svelte'
import type { Ending } from '../ending/ending.svelte'
import { briefText, cards, moveName, ticketName, turnText } from './labels'
import { turns } from './turns'

/** A turn in a few words, with the points of its route. */
interface Brief {
  turn: number
  seat: number
  text: string
  points: number
}

export class Telling {
  constructor(
    private readonly drafting: Drafting,
    private readonly ending: Ending,
  ) {
    $effect(() => {
      void this.turn.table.number
      untrack(() => {
        const { acting, covered, next, view, source } = this.turn
        // The next player will hear the news.
        if (next !== null) announce(this.title)
        else if (!acting && !covered && !view.finished && source.kind !== 'replay')
          announce(this.news(), this.lastTurns)
      })
    })
    $effect(() => {
      const { over, step } = this.ending
      if (!this.turn.view.finished || !step) return
      untrack(() => announce(over ? this.result() : this.counted(step)))
    })
    show(() => ({ badge: this.lastTurns ? say('web.tickettoride.last_round') : '' }))
  }

  private get turn() {
    return this.drafting.turn
  }

  /** Turn after turn of the game; at a shared screen nobody's hidden card is named. */
  readonly played = $derived.by(() => turns(this.turn.table.log, this.turn.mine.length > 1))
  /** Who still has a turn, when the end has been triggered. */
  readonly lastTurns = $derived.by(() => {
    const { table, view, seat } = this.turn
    const { turns_left: turns, finished, actors } = view
    if (turns === null || finished) return ''
    if (turns > 1) return say('tickettoride.last_round', { turns })
    if (actors[0] === seat) return say('tickettoride.last_turn_you')
    return say('tickettoride.last_turn', { name: seatName(table, actors[0] ?? -1) })
  })
  private readonly others = $derived.by(() =>
    this.turn.view.actors
      .filter((actor) => actor >= 0 && actor !== this.turn.seat)
      .map((actor) => seatName(this.turn.table, actor))
      .join(', '),
  )
  /** What is to be done now, or who is waited for. */
  readonly title = $derived.by(() => {
    const { covered, acting, next, seat, view, sending, source } = this.turn
    if (covered) return ''
    if (next !== null) return say('web.tickettoride.drawn', { card: this.drafting.blindCard(seat) })
    if (this.drafting.choosing) return say('tickettoride.offered')
    if (acting) return say(view.taken ? 'tickettoride.second' : 'web.tickettoride.your_turn')
    if (sending) return say('web.loading')
    const key = source.kind === 'replay' ? 'web.tickettoride.moves_next' : 'web.waiting_for'
    return this.others ? say(key, { names: this.others }) : ''
  })
  /** Whose turn it is; it does not tell the end before it is counted. */
  readonly blind = $derived.by(() => {
    const { table, view, acting, seat, source } = this.turn
    if (view.finished) return say('web.tickettoride.all_change')
    if (acting || view.actors.includes(seat)) return say('web.your_turn')
    const [first, ...more] = view.actors.filter((actor) => actor >= 0)
    if (first === undefined || more.length || source.kind === 'replay') return this.title
    return say('web.tickettoride.turn_of', { name: seatName(table, first) })
  })
  readonly blindNote = $derived.by(() => (this.lastTurns ? say('web.tickettoride.last_round') : ''))
  private readonly hand = $derived.by(() => {
    const { hand } = this.turn.view
    return cards(this.drafting.plan.kinds.map((kind) => [kind, hand[kind] ?? 0]))
  })

  /** The turn of a line of the log in a few words; the last turn where there is no line. */
  brief(number = Infinity): Brief | null {
    const one = this.played.findLast((turn) => turn.number <= number)
    if (!one) return null
    const { plan, turn } = this.drafting
    const [move] = one.moves
    const points = move?.kind === 'claim' ? plan.route.get(move.route)!.points : 0
    const text = briefText(plan, one, isYou(turn.table, one.seat))
    return { turn: one.turn, seat: one.seat, text, points }
  }

  private news(): string {
    const { plan } = this.drafting
    return this.turn.news(this.played.map((one) => ({ ...one, text: turnText(plan, one) })))
  }

  /** What a screen reader hears when the seat has to decide. */
  opening(): string[] {
    const { table, seat, view } = this.turn
    return [
      standInText(table, seat, (move) => moveName(this.drafting.plan, view.offered, move)),
      this.news(),
      this.lastTurns,
      this.turn.name ? say('web.tickettoride.heard_name', { name: this.turn.name }) : '',
      this.title,
      this.hand ? say('web.tickettoride.heard_hand', { cards: this.hand }) : '',
    ]
  }

  private counted(step: Step): string {
    if (step.seat < 0) return ''
    const what =
      step.kind === 'ticket'
        ? ticketName(this.drafting.plan, step.ticket)
        : say('web.tickettoride.count.districts', { districts: step.districts.join(', ') })
    return `${playerName(this.turn.table, step.seat)}: ${what} ${signed(step.points)}.`
  }

  private result(): string {
    const { view, table } = this.turn
    return view.scores
      .map(({ total }, who) => say('score.sheet_of', { name: playerName(table, who), total }))
      .join('. ')
  }
}
