/** What the page says in words: the turn that begins, who has moved, what a station is. */

import { announce } from '../../../shell/announce.svelte'
import { show } from '../../../shell/page.svelte'
import { say } from '../../../shell/texts.svelte'
import { seatName } from '../../../table/names'
import { standInText } from '../../../table/standIn'
import type { RoundCount } from '../ending/roundCount.svelte'
import type { Drafting } from '../turn/drafting.svelte'
import { actName, cardName, moveName, stationName } from './labels'
import { stationsOf } from '../board/lines'

export class Telling {
  private moved: boolean[] = []

  constructor(
    private readonly drafting: Drafting,
    private readonly count: RoundCount,
  ) {
    $effect(() => {
      const { view, table, seat, acting, source } = this.drafting.turn
      const before = this.moved
      this.moved = view.moved
      const names = view.moved.flatMap((done, who) =>
        done && !before[who] && who !== seat ? [seatName(table, who)] : [],
      )
      if (names.length && !acting && source.kind === 'live')
        announce(...names.map((name) => say('web.heard_moved', { name })))
    })
    show(() => {
      const round = this.count.round || this.drafting.turn.view.round
      return { badge: say('web.nextstation.round', { round }) }
    })
  }

  /** What a screen reader hears when the seat has to decide. */
  opening(): string[] {
    const { turn, pencil, sheet } = this.drafting
    const { view } = turn
    return [
      standInText(turn.table, turn.seat, actName),
      turn.news(turn.table.log.map((line) => ({ ...line, text: moveName(line.text) }))),
      turn.name ? say('web.nextstation.heard_name', { name: turn.name }) : '',
      say('web.nextstation.heard_turn', {
        round: view.round,
        turn: view.turn,
        card: cardName(view.card!),
        colour: say(`colour.${pencil}`),
        targets: this.drafting.reachable(),
        total: sheet.score.total,
      }),
    ]
  }

  private readonly visits = $derived.by(() =>
    this.drafting.drawn.map((line) => ({
      colour: line.colour,
      stations: stationsOf(this.drafting.city, line),
    })),
  )

  /** A station in words, with its lines and what can be done there. */
  describe(station: string): string {
    const { city, ways, sheet } = this.drafting
    const { tourist, departure } = city.station.get(station)!
    const lines = this.visits.filter((line) => line.stations.has(station))
    return [
      stationName(city, station),
      ...(tourist ? [say('web.nextstation.site')] : []),
      ...(departure ? [say('web.nextstation.departure', { colour: departure })] : []),
      ...lines.map((line) => say(`colour.${line.colour}`)),
      ...(ways.some((way) => way.to === station) ? [say('web.nextstation.can_reach')] : []),
      ...(sheet.ends.includes(station) ? [say('web.nextstation.is_end')] : []),
    ].join(', ')
  }
}
