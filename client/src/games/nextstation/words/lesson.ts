/** The first game of any city, step by step: what the coach says, when, and what it points at. */

import type { Lesson, Situation, Step } from '../../../learn/lesson'
import { inLanguage } from '../../../shell/texts.svelte'
import type { MapData, View } from '../types'

const sheet = ({ view, seat }: Situation<View>) => view.sheets[seat]!
const drawn = (situation: Situation<View>) =>
  sheet(situation).lines.some((line) => line.sections.length > 0)
const scored = (part: 'marks' | 'stamps' | 'interchanges') => (situation: Situation<View>) =>
  sheet(situation).score[part] > 0
const mayDraw = ({ legal }: Situation<View>) => legal.some((move) => move !== 'pass')
const symbol = ({ view }: Situation<View>) => ({
  symbol: view.card?.split(':')[1] ?? 'joker',
})
/** A step in which a section is drawn. */
const draw = { at: ['button.confirm:enabled', '.station.target'], waits: true, values: symbol }

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
      { name: 'card', at: ['[data-part=card]'], values: symbol },
      { ...draw, name: 'first', drag: true },
      { ...draw, name: 'ends', when: drawn },
      { ...draw, name: 'passed', when: (situation) => !drawn(situation) },
      { name: loop ? 'never_loop' : 'never' },
      { name: 'deck', at: ['[data-part=deck]'] },
      {
        name: river ? 'score_river' : 'score',
        at: ['[data-part=scores] table'],
        values: () => names,
      },
      ...only(sites, { name: 'sites', at: ['.station:has(.rose)'] }),
      ...only(loop, { name: 'loop', at: ['.line:has(.stripe-loop)'] }),
      { name: 'alone', at: ['[data-part=hint]', '[data-part=rules]'] },
    ],
    remarks: [
      { name: 'round', at: ['[data-part=count]'], when: ({ view }) => view.round > 1 },
      { name: 'last_round', when: ({ view }) => view.round === city.rounds },
      {
        name: 'switch_idle',
        at: ['[data-part=card]'],
        when: ({ view }) => view.switch && !view.switch_works,
      },
      { name: 'switch', at: ['.station.target'], when: ({ view }) => view.switch_works },
      { name: 'stuck', when: (situation) => situation.legal.length > 0 && !mayDraw(situation) },
      {
        name: city.double_track_jokers ? 'joker_double' : 'joker',
        at: ['[data-part=card]'],
        when: ({ view }) => view.card?.endsWith(':joker') ?? false,
      },
      {
        name: 'crossing',
        when: (situation) => sheet(situation).score.lines.some((line) => line.over_river > 0),
        values: () => names,
      },
      { name: 'site', when: scored('marks') },
      { name: 'stamp', when: scored('stamps') },
      { name: 'interchange', at: ['.numbers .number'], when: scored('interchanges') },
    ],
    end: [
      { name: river ? 'end_lines_river' : 'end_lines', at: ['[data-part=scores] table'] },
      { name: loop ? 'end_loop' : 'end_sites', at: ['[data-part=scores] .entry'] },
      {
        name: 'bye',
        at: ['[data-part=end]'],
        values: (situation) => ({ total: sheet(situation).score.total }),
      },
    ],
  }
  return content
}
