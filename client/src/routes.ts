/**
 * Every page: its addresses and the component that shows it.
 *
 * An address names its parameters and their kinds, `{day:date}`; the component takes them as props.
 * The build writes the addresses into `routes.json`, and the server answers all others with 404.
 */

import type { Component } from 'svelte'

const KINDS = { str: '[^/]+', int: '\\d+', date: '\\d{4}-\\d\\d-\\d\\d' }

type Names<Address extends string> =
  Address extends `${string}{${infer Name}:${keyof typeof KINDS}}${infer Rest}`
    ? Name | Names<Rest>
    : never
type Load<Props extends object> = () => Promise<{ default: Component<Props> }>

export interface Route {
  address: string
  pattern: RegExp
  load: Load<Record<string, string>>
  /** Whether strangers may open it where others have to sign in first. */
  anybody: boolean
}

function route<Address extends string>(
  address: Address,
  load: Load<Record<Names<Address>, string>>,
  anybody = false,
): Route {
  const pattern = address.replace(
    /\{(\w+):(\w+)\}/g,
    (_, name: string, kind: keyof typeof KINDS) => `(?<${name}>${KINDS[kind]})`,
  )
  return { address, pattern: new RegExp(`^${pattern}$`), load, anybody }
}

const home = () => import('./home/Home.svelte')
const replay = () => import('./replay/ReplayPage.svelte')
const review = () => import('./review/ReviewPage.svelte')
const today = () => import('./today/TodayPage.svelte')

export const routes = [
  route('/', home),
  route('/new/{game:str}/{map:str}', home),
  route('/t/{id:str}', () => import('./table/TablePage.svelte')),
  route('/t/{id:str}/replay', replay),
  route('/t/{id:str}/replay/{moment:int}', replay),
  route('/t/{id:str}/replay/{moment:int}/{who:str}', replay),
  route('/t/{id:str}/review', review),
  route('/replay', replay),
  route('/replay/{moment:int}', replay),
  route('/replay/{moment:int}/{who:str}', replay),
  route('/review', review),
  route('/learn/{game:str}/{map:str}', () => import('./learn/LearnPage.svelte')),
  route('/today', today),
  route('/today/{day:date}', today),
  route('/practice', () => import('./practice/PracticePage.svelte')),
  route('/u/{name:str}', () => import('./people/ProfilePage.svelte')),
  route('/ladder/{game:str}', () => import('./people/LadderPage.svelte')),
  route('/account', () => import('./people/AccountPage.svelte')),
  route('/device', () => import('./people/DevicePage.svelte'), true),
  route('/invitation', () => import('./people/InvitationPage.svelte'), true),
  route('/paper', () => import('./paper/PaperPage.svelte')),
  route('/print', () => import('./paper/PrintPage.svelte')),
  route('/about', () => import('./About.svelte'), true),
  route('/house/{name:str}', () => import('./HousePage.svelte'), true),
]

/** The page of a path and its parameters; null if no page has this address. */
export function find(path: string): { route: Route; parameters: Record<string, string> } | null {
  for (const route of routes) {
    const match = route.pattern.exec(path)
    if (!match) continue
    try {
      const groups = Object.entries(match.groups ?? {})
      return {
        route,
        parameters: Object.fromEntries(groups.map(([k, text]) => [k, decodeURIComponent(text)])),
      }
    } catch {
      return null // a `%` that is no code
    }
  }
  return null
}
