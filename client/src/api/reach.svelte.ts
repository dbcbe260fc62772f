/** Whether the server answers. As soon as it does not, it is asked again until it does. */

import { addressOf } from '../shell/folder'

const PAUSE = 2000

export const reach = $state({ lost: false })

let again: ReturnType<typeof setTimeout> | undefined

/** Notes that the server has answered, or that nobody has. */
export function answered(alive: boolean): void {
  reach.lost = !alive
  if (alive) {
    clearTimeout(again)
    again = undefined
  } else again ??= setTimeout(() => void knock(), PAUSE)
}

async function knock(): Promise<void> {
  clearTimeout(again)
  again = undefined
  const answer = await fetch(addressOf('/health'), { cache: 'no-store' }).catch(() => null)
  answered(answer !== null && answer.status < 502)
}

addEventListener('online', () => void (reach.lost && knock()))
addEventListener('offline', () => answered(false))
