/** Requests to the server. What it refuses is thrown as `Refused`, with its sentence. */

import { settings } from '../shell/settings.svelte'
import { answered } from './reach.svelte'
import type {
  ErrorBody,
  FullSheet,
  Hint,
  Me,
  NewTable,
  Paper,
  PaperGame,
  Profile,
  Replay,
  Rules,
  SheetScore,
  Shelf,
  Table,
  TableHead,
  Today,
  Why,
} from './types'

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: ErrorBody | null,
  ) {
    super(refusal?.sentence ?? `${status}`)
  }
}

/** A name for a request that nobody else takes; `randomUUID` exists on secure pages only. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

let csrf = ''

async function ask<T>(method: string, path: string, body?: unknown, again = false): Promise<T> {
  const headers: Record<string, string> = { 'accept-language': settings.lang }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (method !== 'GET') headers['x-headway-csrf'] = csrf || (await me()).csrf
  const answer = await fetch(`/api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    answered(false)
    throw error
  })
  answered(answer.status < 502 && !answer.headers.has('x-headway-kept'))
  const said: unknown = await answer.json().catch(() => null)
  if (answer.ok) return said as T
  const refusal = (said as { error?: ErrorBody } | null)?.error ?? null
  if (refusal?.key === 'server.csrf' && !again) {
    await me() // we are somebody else since another tab signed in or out
    return ask(method, path, body, true)
  }
  throw new Refused(answer.status, refusal)
}

/** Asks something whose answer says who we are from now on. */
async function become(method: string, path: string, body?: unknown): Promise<Me> {
  const found = await ask<Me>(method, path, body)
  csrf = found.csrf
  return found
}

export const me = () => become('GET', '/me')
/** An account with all that the guest at this browser has played. */
export const claim = (name: string, password: string) =>
  become('POST', '/account', { name, password })
export const signIn = (name: string, password: string) =>
  become('POST', '/account/session', { name, password })
export const signOut = () => become('DELETE', '/account/session')
export const changePassword = (old: string, fresh: string) =>
  become('POST', '/account/password', { old, new: fresh })
export const deleteAccount = (password: string) => become('POST', '/account/delete', { password })
export const profile = (name: string) => ask<Profile>('GET', `/people/${encodeURIComponent(name)}`)
/** The deals of today, or of a day that is over. */
export const today = (day?: string) => ask<Today>('GET', day ? `/today?day=${day}` : '/today')
export const beginToday = (game: string, map: string) => ask<Table>('POST', `/today/${game}/${map}`)

export const rename = (name: string) => ask<Me>('PATCH', '/me', { name })
export const shelf = () => ask<Shelf>('GET', '/shelf')
export const mapData = <T>(game: string, map: string) => ask<T>('GET', `/shelf/${game}/${map}`)
export const texts = (lang: string) => ask<Record<string, string>>('GET', `/texts/${lang}`)
export const rules = (game: string, lang: string) => ask<Rules>('GET', `/rules/${game}/${lang}`)
export const create = (wish: NewTable) => ask<Table>('POST', '/tables', wish)
export const tables = (which: 'open' | 'mine') => ask<TableHead[]>('GET', `/tables?which=${which}`)
export const table = (id: string) => ask<Table>('GET', `/tables/${id}`)
export const join = (id: string, wish: { name?: string; seat?: number }) =>
  ask<Table>('POST', `/tables/${id}/join`, wish)
export const leave = (id: string, seat: number) =>
  ask<Table>('POST', `/tables/${id}/leave`, { seat })
export const move = (id: string, seat: number, move: string, client_id: string, number: number) =>
  ask<Table>('POST', `/tables/${id}/moves`, { seat, move, client_id, number })
export const why = (id: string, seat: number, move: string) =>
  ask<Why>('POST', `/tables/${id}/why`, { seat, move })
export const hint = (id: string, seat: number) => ask<Hint>('POST', `/tables/${id}/hint`, { seat })
export const undo = (id: string, seat: number) =>
  ask<Table>('POST', `/tables/${id}/undo`, { seat, client_id: newId() })
export const rematch = (id: string) => ask<Table>('POST', `/tables/${id}/rematch`, {})
export const giveToBot = (id: string, seat: number, bot: string) =>
  ask<Table>('POST', `/tables/${id}/seats/${seat}/bot`, { bot })
/** A game that is over: as a seat saw it, or all open, or as whoever asks would like it best. */
export type Eyes = number | 'open' | 'own'
export const replay = (id: string, eyes: Eyes) =>
  ask<Replay>(
    'GET',
    `/tables/${id}/replay${eyes === 'open' ? '' : eyes === 'own' ? '?own=true' : `?seat=${eyes}`}`,
  )
export const replayRecord = (record: string, eyes: Eyes) =>
  ask<Replay>('POST', '/replay', {
    record,
    seat: typeof eyes === 'number' ? eyes : null,
    own: eyes === 'own',
  })
/** A game played with pencils, as far as it is written down. */
export const paper = (written: PaperGame) => ask<Paper>('POST', '/paper', written)
export const paperWhy = (written: PaperGame, seat: number, move: string) =>
  ask<Why>('POST', '/paper/why', { ...written, seat, move })
/** A full sheet without its cards. */
export const fullSheet = (sheet: FullSheet) => ask<SheetScore>('POST', '/paper/sheet', sheet)
