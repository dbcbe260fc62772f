/** What screen readers are told; the page has one live region that shows this. */

export const heard = $state({ text: '' })

export function announce(...sentences: string[]): void {
  const text = sentences.filter(Boolean).join(' ')
  // The same words again are news too: a trailing blank makes the region change.
  heard.text = text === heard.text ? `${text} ` : text
}
