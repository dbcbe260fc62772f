/** Requests to the server. What it refuses is thrown as `Refused`, with its sentence. */

import { client } from './client'
import { reach } from './reach.svelte'
import type {
  AskedUndo,
  Avoid,
  Choose,
  Continuation,
  ErrorBody,
  Failure,
  FullSheet,
  Join,
  Me,
  NewAttempt,
  NewBrowser,
  NewMove,
  NewSeek,
  NewTable,
  NewWord,
  Notice,
  PaperGame,
  ReviewState,
} from './schema'

/** What a browser says of a passkey, as WebAuthn writes it in JSON. */
export type PasskeyAnswer = Record<string, unknown>

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: ErrorBody | null,
    /** After how many seconds to ask again, if the server says so. */
    readonly retryAfter = 0,
  ) {
    super(refusal?.sentence ?? `${status}`)
  }
}

/** A name for a request that nobody else takes; `randomUUID` exists on secure pages only. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

async function read<T>(request: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await request
  if (response.ok) return data!
  const refusal = (error as Partial<Failure> | undefined)?.error ?? null
  throw new Refused(response.status, refusal, Number(response.headers.get('retry-after')) || 0)
}

const at = (table: string) => ({ path: { table } })
const on = (game: string, map_name: string) => ({ path: { game, map_name } })

export const me = () => read(client.GET('/api/me'))
/** Another face, for tables from now on. */
export const takeFace = (face: string) => read(client.PUT('/api/me/face', { body: { face } }))
export const decideSharing = (sharing: Me['sharing']) =>
  read(client.PUT('/api/me/sharing', { body: { sharing } }))
export const rename = (name: string) => read(client.PATCH('/api/me', { body: { name } }))
/** An account with all that the guest at this browser has played. */
export const claim = (name: string, password: string, invitation = '') =>
  read(client.POST('/api/account', { body: { name, password, invitation } }))
/** Whether an invitation to this server still lets somebody in. */
export const invitation = (code: string) =>
  read(client.POST('/api/account/invitation', { body: { code } }))
/** A text of the host's. */
export const housePage = (page: string) =>
  read(client.GET('/api/house/{page}', { params: { path: { page: page as 'imprint' } } }))
export const signIn = (name: string, password: string) =>
  read(client.POST('/api/account/session', { body: { name, password } }))
/** Sets another password with the recovery code; the answer has the next code. */
export const recover = (name: string, code: string, password: string) =>
  read(client.POST('/api/account/recover', { body: { name, code, password } }))
export const newRecoveryCode = (password: string) =>
  read(client.POST('/api/account/recovery', { body: { password } }))
export const passkeys = () => read(client.GET('/api/account/passkeys'))
export const beginPasskey = () => read(client.POST('/api/account/passkeys/begin'))
export const addPasskey = (name: string, credential: PasskeyAnswer) =>
  read(client.POST('/api/account/passkeys', { body: { name, credential } }))
export const removePasskey = (passkey: string) =>
  read(client.DELETE('/api/account/passkeys/{passkey}', { params: { path: { passkey } } }))
export const beginPasskeySignIn = () => read(client.POST('/api/account/session/passkey/begin'))
export const signInWithPasskey = (credential: PasskeyAnswer) =>
  read(client.POST('/api/account/session/passkey', { body: { credential } }))
/** A link that signs a second device in. */
export const linkDevice = () => read(client.POST('/api/account/device'))
export const deviceOwner = (code: string) =>
  read(client.POST('/api/account/device/whose', { body: { code } }))
export const signInDevice = (code: string) =>
  read(client.POST('/api/account/session/device', { body: { code } }))
export const signOut = () => read(client.DELETE('/api/account/session'))
export const changePassword = (old: string, fresh: string, keep_tokens: boolean) =>
  read(client.POST('/api/account/password', { body: { old, new: fresh, keep_tokens } }))
export const tokens = () => read(client.GET('/api/tokens'))
/** A token for a program; the answer is the only one that contains it. */
export const newToken = (name: string) => read(client.POST('/api/tokens', { body: { name } }))
export const renameToken = (token: string, name: string) =>
  read(client.PATCH('/api/tokens/{token}', { params: { path: { token } }, body: { name } }))
export const revokeToken = (token: string) =>
  read(client.DELETE('/api/tokens/{token}', { params: { path: { token } } }))
export const deleteAccount = (password: string) =>
  read(client.POST('/api/account/delete', { body: { password } }))
export const profile = (name: string) =>
  read(client.GET('/api/people/{name}', { params: { path: { name } } }))

/** People I have played with, who challenges me, and whom I avoid. */
export const people = () => read(client.GET('/api/me/people'))
export const decline = (table: string) =>
  read(client.POST('/api/me/challenges/{table}/decline', { params: at(table) }))
export const forgive = (number: number) =>
  read(client.DELETE('/api/me/people/avoided/{number}', { params: { path: { number } } }))
const atSeat = (table: string, seat: number) => ({ path: { table, seat } })
/** What I know of the people at a table. */
export const tablePeople = (id: string) =>
  read(client.GET('/api/tables/{table}/people', { params: at(id) }))
export const avoid = (table: string, seat: number, how: Avoid['how'], on: boolean) => {
  const params = atSeat(table, seat)
  return read(client.POST('/api/tables/{table}/seats/{seat}/avoid', { params, body: { how, on } }))
}
/** What the players of a table have written to each other. */
export const remarks = (id: string) =>
  read(client.GET('/api/tables/{table}/remarks', { params: at(id) }))
export const writeRemark = (id: string, text: string) =>
  read(client.POST('/api/tables/{table}/remarks', { params: at(id), body: { text } }))
export const reportRemark = (table: string, number: number): Promise<unknown> => {
  const params = { path: { table, number } }
  return read(client.POST('/api/tables/{table}/remarks/{number}/report', { params }))
}
/** A new table for two, like this one, to which I ask the person at a seat. */
export const challenge = (table: string, seat: number) => {
  const params = atSeat(table, seat)
  return read(client.POST('/api/tables/{table}/seats/{seat}/challenge', { params }))
}

/** What a finished game has brought: ratings, my firsts and records. */
export const standing = (id: string) =>
  read(client.GET('/api/tables/{table}/standing', { params: at(id) }))
export const ladder = (game: string) =>
  read(client.GET('/api/ladder/{game}', { params: { path: { game } } }))

/** Looks for somebody to play with, as long as the lobby's socket is open. */
export const seek = (body: NewSeek) => read(client.POST('/api/lobby/seek', { body }))
export const giveUpSeek = (): Promise<unknown> => read(client.DELETE('/api/lobby/seek'))

/** How I am told what happens at my tables while I do not look. */
export const notices = () => read(client.GET('/api/notices'))
export const chooseNotices = (unwanted: Notice['kind'][]) =>
  read(client.PUT('/api/notices', { body: { unwanted } }))
export const subscribe = (body: NewBrowser) => read(client.POST('/api/notices/browsers', { body }))
export const unsubscribe = (endpoint: string) =>
  read(client.POST('/api/notices/browsers/remove', { body: { endpoint } }))
/** A calendar at a new address; the answer is the only one that contains it. */
export const newCalendar = () => read(client.POST('/api/notices/calendar'))
export const dropCalendar = () => read(client.DELETE('/api/notices/calendar'))
/** The answer has the secret that signs notices, this once. */
export const setWebhook = (url: string) =>
  read(client.PUT('/api/notices/webhook', { body: { url } }))
export const dropWebhook = () => read(client.DELETE('/api/notices/webhook'))

/** Has my last games reviewed; how many reviews are still to be made. */
export const reviewGames = () => read(client.POST('/api/account/reviews'))
export const gameReviews = () => read(client.GET('/api/account/reviews'))

/** The deals of today, or of a day that is over. */
export const today = (day?: string) =>
  read(client.GET('/api/today', { params: { query: { day } } }))
export const beginToday = (game: string, map: string) =>
  read(client.POST('/api/today/{game}/{map_name}', { params: on(game, map) }))

/** A puzzle that I have not answered. */
export const puzzle = (game?: string) =>
  read(client.GET('/api/practice', { params: { query: { game } } }))
export const practiceRating = () => read(client.GET('/api/practice/rating'))
const ofPuzzle = (puzzle_id: string) => ({ path: { puzzle_id } })
export const solve = (id: string, move: string) =>
  read(client.POST('/api/practice/{puzzle_id}', { params: ofPuzzle(id), body: { move } }))
export const puzzleWhy = (id: string, move: string) =>
  read(client.POST('/api/practice/{puzzle_id}/why', { params: ofPuzzle(id), body: { move } }))

const lasting = new Map<string, Promise<unknown>>()
/** Asks once for what lasts. An answer that the server itself did not give is not kept. */
function once<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const asked = lasting.get(name)
  if (asked) return asked as Promise<T>
  const answer = ask()
  lasting.set(name, answer)
  const forget = () => lasting.delete(name)
  answer.then(() => reach.lost && forget(), forget)
  return answer
}
/** All games. */
export const shelf = () => once('', () => read(client.GET('/api/shelf')))
/** What the shelf says of a game that is on it. */
export const gameHead = async (name: string) =>
  (await shelf()).games.find((head) => head.name === name)!
/** What a game's own module knows of a map. */
export const mapData = (game: string, map: string): Promise<unknown> =>
  once(`${game} ${map}`, () =>
    read(client.GET('/api/shelf/{game}/{map_name}', { params: on(game, map) })),
  )
export const texts = (lang_name: string) =>
  read(client.GET('/api/texts/{lang_name}', { params: { path: { lang_name } } }))
export const rules = (game: string, lang_name: string) =>
  read(client.GET('/api/rules/{game}/{lang_name}', { params: { path: { game, lang_name } } }))

export const tables = (which: 'open' | 'mine') =>
  read(client.GET('/api/tables', { params: { query: { which } } }))
/** Sets a table up: a game without clock that counts and that nobody else sees, unless said. */
export const create = (body: Omit<NewTable, 'public' | 'training' | 'chat'> & Partial<NewTable>) =>
  read(
    client.POST('/api/tables', { body: { training: false, public: false, chat: false, ...body } }),
  )
export const table = (id: string) => read(client.GET('/api/tables/{table}', { params: at(id) }))
export const join = (id: string, body: Join) =>
  read(client.POST('/api/tables/{table}/join', { params: at(id), body }))
/** Picks something while the table waits; for a seat, or what is for all. */
export const pick = (id: string, body: Choose) =>
  read(client.POST('/api/tables/{table}/pick', { params: at(id), body }))
export const leave = (id: string, seat: number) =>
  read(client.POST('/api/tables/{table}/leave', { params: at(id), body: { seat } }))
/** Says that I am there; the clock starts when everybody has. */
export const ready = (id: string) =>
  read(client.POST('/api/tables/{table}/ready', { params: at(id) }))
/** Stops the time before the game: it begins when everybody is ready. */
export const hold = (id: string) =>
  read(client.POST('/api/tables/{table}/hold', { params: at(id) }))
/** Begins without those who have not come. */
export const begin = (id: string) =>
  read(client.POST('/api/tables/{table}/begin', { params: at(id) }))
/** Removes a table from my games. */
export const remove = (id: string): Promise<unknown> =>
  read(client.POST('/api/tables/{table}/remove', { params: at(id) }))
export const move = (id: string, body: NewMove) =>
  read(client.POST('/api/tables/{table}/moves', { params: at(id), body }))
export const why = (id: string, seat: number, move: string) =>
  read(client.POST('/api/tables/{table}/why', { params: at(id), body: { seat, move } }))
export const hint = (id: string, seat: number) =>
  read(client.POST('/api/tables/{table}/hint', { params: at(id), body: { seat } }))
export const undo = (id: string, seat: number) => {
  const body = { seat, client_id: newId() }
  return read(client.POST('/api/tables/{table}/undo', { params: at(id), body }))
}
/** Lets another seat take its last move back, or not. */
export const answerUndo = (id: string, asked: AskedUndo, grant: boolean) => {
  const body = { seat: asked.seat, number: asked.number, grant, client_id: newId() }
  return read(client.POST('/api/tables/{table}/undo/answer', { params: at(id), body }))
}
/** Says something to everybody who is at the table now. */
export const speak = (id: string, what: NewWord['what']): Promise<unknown> =>
  read(client.POST('/api/tables/{table}/say', { params: at(id), body: { what } }))
export const rematch = (id: string) =>
  read(client.POST('/api/tables/{table}/rematch', { params: at(id) }))
export const giveToBot = (table: string, seat: number, bot: string) => {
  const params = { path: { table, seat } }
  return read(client.POST('/api/tables/{table}/seats/{seat}/bot', { params, body: { bot } }))
}
/** Lets the bot that people usually play against go on for a seat. */
export const giveUp = async ({ id, game }: { id: string; game: string }, seat: number) =>
  giveToBot(id, seat, (await gameHead(game)).opponent)

/** Whose view of a game that is over: a seat's, all open, or as the server finds best. */
export type Eyes = number | 'open' | 'own'
const seenBy = (eyes: Eyes) => ({
  seat: typeof eyes === 'number' ? eyes : undefined,
  own: eyes === 'own',
})
export const replay = (id: string, eyes: Eyes) =>
  read(client.GET('/api/tables/{table}/replay', { params: { ...at(id), query: seenBy(eyes) } }))
export const replayRecord = (record: string, eyes: Eyes) =>
  read(client.POST('/api/replay', { body: { record, ...seenBy(eyes) } }))

/** A game that is reviewed: a table's, or a record. `turn` counts the turns of the report. */
export type ReviewedGame = ReturnType<typeof reviewOfTable>

/** The review of a game; null before somebody has asked for it. */
export const knownReview = (id: string): Promise<ReviewState | null> =>
  read(client.GET('/api/tables/{table}/review', { params: at(id) }))

export function reviewOfTable(id: string) {
  const params = at(id)
  return {
    /** Asks for the review; it is made if nobody has asked before. */
    make: () => read(client.POST('/api/tables/{table}/review', { params })),
    /** The path of the socket that tells how far the review is, until it is there. */
    live: () => `/api/tables/${id}/review/live`,
    replay: (eyes: Eyes) => replay(id, eyes),
    /** The position of a decision. */
    exercise: (query: { seat: number; turn: number }) =>
      read(client.GET('/api/tables/{table}/review/exercise', { params: { ...params, query } })),
    /** What another move loses there; an illegal one is refused with the reason. */
    attempt: (body: NewAttempt) =>
      read(client.POST('/api/tables/{table}/review/attempt', { params, body })),
    /** A training table that continues the game from one of its decisions. */
    playOn: (body: Continuation) =>
      read(client.POST('/api/tables/{table}/review/table', { params, body })),
  }
}

export function reviewOfRecord(record: string): ReviewedGame {
  const params = { path: { review: '' } } // the server names the review when it is asked for
  return {
    make: async () => {
      const state = await read(client.POST('/api/reviews', { body: { record } }))
      params.path.review = state.id
      return state
    },
    live: () => `/api/reviews/${params.path.review}/live`,
    replay: (eyes) => replayRecord(record, eyes),
    exercise: (query) =>
      read(client.GET('/api/reviews/{review}/exercise', { params: { ...params, query } })),
    attempt: (body) => read(client.POST('/api/reviews/{review}/attempt', { params, body })),
    playOn: (body) => read(client.POST('/api/reviews/{review}/table', { params, body })),
  }
}

/** A game played with pencils, as far as it is written down. */
export const paper = (body: PaperGame) => read(client.POST('/api/paper', { body }))
export const paperWhy = (game: PaperGame, seat: number, move: string) =>
  read(client.POST('/api/paper/why', { body: { ...game, seat, move } }))
/** A full sheet without its cards. */
export const fullSheet = (body: FullSheet) => read(client.POST('/api/paper/sheet', { body }))
