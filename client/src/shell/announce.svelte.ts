/** What screen readers are told; the page has one live region that shows this. */

import { untrack } from 'svelte'

export const heard = $state({ text: '' })

/** Says something. An effect that calls this does not depend on what was said before. */
export function announce(...sentences: string[]): void {
  const text = sentences.filter(Boolean).join(' ')
  // The same words again are news too: a trailing blank makes the region change.
  heard.text = text === untrack(() => heard.text) ? `${text} ` : text
}
