/** What the operator tells everybody: a line with an end, known by its number. */

import { addressOf } from '../shell/folder'

export const notice = $state({ number: 0, text: '', until: 0 })

let known = 0

/** Hears the number that an answer or a socket names; reads the line if it is another one. */
export function noticed(number: number): void {
  if (number === known) return
  known = number
  void lookForNotice()
}

/** Reads the line: not every page asks the server for something that would name it. */
export async function lookForNotice(): Promise<void> {
  const address = addressOf('/api/operator/notice')
  const answer = await fetch(address, { cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return
  Object.assign(notice, await answer.json())
  known = notice.number
}
