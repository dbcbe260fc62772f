/** The lobby, as its socket tells it: who is here, tables to join and to watch, who is paired. */

import type { ListedTable, LobbyNews, Seek } from '../api/schema'
import { pauseAfter } from '../api/retry'
import { socketOf } from '../shell/folder'

interface Lobby {
  /** How many people are at this server; 0 while nothing is known. */
  here: number
  /** How many look for each game. */
  seeking: Record<string, number>
  open: ListedTable[]
  running: ListedTable[]
  /** Counts changes of my own tables; -1 while nothing is known. */
  mine: number
  seek: Seek | null
  /** The table that was found for me. */
  paired: string
}

const EMPTY: Lobby = {
  here: 0,
  seeking: {},
  open: [],
  running: [],
  mine: -1,
  seek: null,
  paired: '',
}
const SILENCE_MS = 45_000

export const lobby: Lobby = $state({ ...EMPTY })

let socket: WebSocket | undefined
let again: ReturnType<typeof setTimeout> | undefined
let silent: ReturnType<typeof setTimeout> | undefined
let tries = 0

function listen(): void {
  clearTimeout(again)
  const line = new WebSocket(socketOf('/api/lobby/live'))
  socket = line
  line.onmessage = ({ data }) => {
    tries = 0
    clearTimeout(silent)
    silent = setTimeout(() => line.close(), SILENCE_MS)
    const { type, ...news } = JSON.parse(data as string) as LobbyNews
    if (type === 'lobby') Object.assign(lobby, news)
  }
  line.onclose = () => {
    clearTimeout(silent)
    if (socket !== line) return
    lobby.seek = null
    again = setTimeout(listen, pauseAfter(undefined, ++tries))
  }
}

/** Follows the lobby as long as a component is there; for an `$effect`. */
export function followLobby(): () => void {
  Object.assign(lobby, EMPTY)
  listen()
  return () => {
    const line = socket
    socket = undefined
    clearTimeout(again)
    clearTimeout(silent)
    line?.close()
  }
}
