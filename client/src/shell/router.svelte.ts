/** Where we are: the path of the page, changed without loading it again. */

import { addPage, moved, renamePage } from './backCloses'

/** `visit` counts the pages that were gone to: a new address of the same visit is the same page. */
export const route = $state({ path: location.pathname, visit: 0 })

addEventListener('popstate', () => {
  if (!moved(route.path)) return
  route.path = location.pathname
  route.visit++
})

export function go(path: string): void {
  if (path === location.pathname) return
  addPage(path)
  route.path = path
  route.visit++
  scrollTo(0, 0)
}

/**
 * Returns what gives the page that calls this another address: nothing to go back to, nothing
 * scrolls. Once somebody has gone to another page it does nothing, however late that page comes.
 */
export function renaming(): (path: string) => void {
  const { visit } = route
  return (path) => {
    if (visit !== route.visit || path === location.pathname) return
    renamePage(path)
    route.path = path
  }
}

/** Follows links to our own pages; all others are the browser's. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
    return
  const link = (event.target as Element).closest('a')
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return
  if (link.pathname.startsWith('/api/')) return
  event.preventDefault()
  go(link.pathname)
}
