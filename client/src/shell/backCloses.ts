/**
 * Back closes what is open before it leaves the page.
 *
 * The first thing that opens adds a guard to the history: one more entry of the same page,
 * which Back takes away instead of the page. Nothing goes back when something is closed in another
 * way, because a `go` that follows would be undone. The guard stays as a spare one: the next thing
 * that opens uses it, the next page replaces it, and Back passes over it.
 */

/** What every entry says: which page it belongs to, and whether it is a guard. */
interface Entry {
  page: number
  guard: boolean
}

const opened: (() => void)[] = []
const entry = (page: number, guard = false): Entry => ({ page, guard })
const current = (): Entry => (history.state as Entry | null) ?? entry(Math.random())

let at = current()
history.replaceState(at, '') // a reload keeps it

/** Lets Back call `close`, the last one that was opened first. Returns what ends that. */
export function backCloses(close: () => void): () => void {
  opened.push(close)
  guard()
  return () => {
    const index = opened.indexOf(close)
    if (index >= 0) opened.splice(index, 1)
  }
}

function guard(): void {
  if (at.guard) return
  at = entry(at.page, true)
  history.pushState(at, '')
}

/** Adds the entry of another page; it takes the place of a guard. */
export function addPage(path: string): void {
  const isGuard = at.guard
  at = entry(Math.random())
  if (isGuard) history.replaceState(at, '', path)
  else history.pushState(at, '', path)
}

/** Gives the current entry another address. */
export const renamePage = (path: string): void => history.replaceState(at, '', path)

/**
 * Closes what Back closes on the page of `path`, after the browser moved through its history.
 * Returns whether it came to another page.
 */
export function moved(path: string): boolean {
  const before = at
  at = current()
  if (at.page !== before.page) return true
  if (before.guard && !at.guard) {
    const close = opened.pop()
    if (close) {
      renamePage(path) // it may have changed since the guard was added
      close()
      if (opened.length) guard()
    } else history.back()
  }
  return false
}
