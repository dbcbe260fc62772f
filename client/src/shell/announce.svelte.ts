/** What screen readers are told; the page has one live region that shows this. */

import { untrack } from 'svelte'

export const heard = $state({ text: '' })

let moment: string[] = []

/**
 * Says something, after what was said at the same moment: one change of a table may be news of
 * several kinds. An effect that calls this does not depend on what was said before.
 */
export function announce(...sentences: string[]): void {
  if (!moment.length) queueMicrotask(() => (moment = []))
  moment.push(...sentences.filter(Boolean))
  const text = moment.join(' ')
  // The same words again are news too: a trailing blank makes the region change.
  heard.text = text === untrack(() => heard.text) ? `${text} ` : text
}
