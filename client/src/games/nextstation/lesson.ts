/** The first game of any city, step by step: what the coach says, when, and what it points at. */

import type { Lesson, Now, Step } from '../../learn/lesson'
import { inLanguage, say } from '../../shell/texts.svelte'
import type { MapData, View } from './types'

const sheet = ({ view, seat }: Now<View>) => view.sheets[seat]!
const drawn = (now: Now<View>) => sheet(now).lines.some((line) => line.sections.length > 0)
const mayDraw = ({ legal }: Now<View>) => legal.some((move) => move !== 'pass')
const symbol = ({ view }: Now<View>) => ({
  symbol: say(`symbol.${view.card?.split(':')[1] ?? 'joker'}`),
})
const SHAPES = '.station.target, button.confirm:enabled'

/** Deals the same cards in every city: no joker at first, and a switch in the middle. */
const SEED = 53

export function lesson(city: MapData): Lesson {
  const river = city.scoring.river > 0
  const sites = city.scoring.tourist.length > 0
  const loop = city.sections.some((section) => section.loop)
  const names = {
    city: inLanguage(city.city),
    river: inLanguage(city.river_name),
    worth: city.scoring.river,
  }
  const only = (fits: boolean, ...steps: Step<View>[]) => (fits ? steps : [])

  const content: Lesson<View> = {
    texts: 'web.nextstation.learn',
    seed: SEED,
    seats: [{ kind: 'me' }],
    steps: [
      { name: 'welcome', values: () => names },
      { name: 'card', at: '[data-part=card]', values: symbol },
      { name: 'first', at: SHAPES, waits: true, values: symbol },
      { name: 'ends', at: SHAPES, waits: true, when: drawn, values: symbol },
      { name: 'passed', at: SHAPES, waits: true, when: (now) => !drawn(now), values: symbol },
      { name: 'never' },
      { name: 'deck', at: '[data-part=deck]' },
      {
        name: river ? 'score_river' : 'score',
        at: '[data-part=scores] table',
        values: () => names,
      },
      ...only(sites, { name: 'sites', at: '.station:has(.rose)' }),
      ...only(loop, { name: 'loop', at: '.line:has(.stripe-loop)' }),
      { name: 'alone', at: '[data-part=hint], [data-part=rules]' },
    ],
    remarks: [
      { name: 'round', at: '[data-part=count]', when: ({ view }) => view.round > 1 },
      { name: 'last_round', when: ({ view }) => view.round > 3 },
      {
        name: 'switch_idle',
        at: '[data-part=card]',
        when: ({ view }) => view.switch && view.turn < 3,
      },
      { name: 'switch', at: '.station.target', when: ({ view }) => view.switch && view.turn > 2 },
      { name: 'stuck', when: (now) => now.legal.length > 0 && !mayDraw(now) },
      {
        name: city.double_track_jokers ? 'joker_double' : 'joker',
        at: '[data-part=card]',
        when: ({ view }) => view.card?.endsWith(':joker') ?? false,
      },
      {
        name: 'crossing',
        when: (now) => sheet(now).score.lines.some((line) => line.over_river > 0),
        values: () => names,
      },
      { name: 'site', when: (now) => sheet(now).score.marks > 0 },
      { name: 'stamp', when: (now) => sheet(now).score.stamps > 0 },
      {
        name: 'interchange',
        at: '.numbers .number',
        when: (now) => sheet(now).score.interchanges > 0,
      },
    ],
    end: [
      { name: 'end_lines', at: '[data-part=scores] table' },
      { name: loop ? 'end_loop' : 'end_sites', at: '[data-part=scores] .row' },
      { name: 'bye', at: '[data-part=end]', values: (now) => ({ total: sheet(now).score.total }) },
    ],
  }
  return content
}
