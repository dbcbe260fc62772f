/** Sending a request again: when, and how often. */

import { Refused } from './server'

const PAUSES_MS = [300, 600, 1200, 2500, 4000]
const REFUSALS = 5

/** Whether the same request may be answered later: nobody did, or the server is busy. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status >= 500 || error.status === 429

/** How long to wait after a number of failures, in ms; as long as the server asks, if it does. */
export function pauseAfter(error: unknown, failures: number): number {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0
  return error instanceof Refused ? Math.max(pause, error.retryAfter * 1000) : pause
}

export const sleep = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms))

/**
 * Sends a request until it is answered. A busy server is asked a few times, then its refusal is
 * thrown; one that cannot be reached is asked for ever.
 *
 * `goesOn` hears of every failure, whether nobody answered, and says whether to try again; if not,
 * nothing is returned.
 */
export async function persist<T>(
  send: () => Promise<T>,
  goesOn: (lost: boolean) => boolean,
): Promise<T | undefined> {
  let refusals = 0
  for (let failures = 1; ; failures++) {
    try {
      return await send()
    } catch (error) {
      const lost = !(error instanceof Refused)
      if (!mayPass(error) || (!lost && ++refusals > REFUSALS)) throw error
      if (!goesOn(lost)) return undefined
      await sleep(pauseAfter(error, failures))
    }
  }
}
