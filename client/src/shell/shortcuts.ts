/** Keys that work wherever somebody is on a page, but not where they type or choose something. */

const TYPED = 'input, textarea, select, dialog, [role=region]'
const PRESSED = 'button, a, summary'

/** Returns what a page does when a key is pressed, from a list of its keys. */
export const shortcuts =
  (keys: Readonly<Record<string, () => void>>) =>
  (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement
    const act = keys[event.key]
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (target.closest(TYPED) || (event.key === ' ' && target.closest(PRESSED))) return
    event.preventDefault()
    act()
  }
