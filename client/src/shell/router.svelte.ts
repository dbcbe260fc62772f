/** Where we are: the path of the page, changed without loading it again. */

import { addPage, moved, renamePage } from './backCloses'
import { addressOf, pathOf } from './folder'

/** `visit` counts the pages that were gone to: a new address of the same visit is the same page. */
export const route = $state({ path: pathOf(location.pathname), visit: 0 })

addEventListener('popstate', () => {
  if (!moved(addressOf(route.path))) return
  route.path = pathOf(location.pathname)
  route.visit++
})

export function go(path: string): void {
  if (path === pathOf(location.pathname)) return
  addPage(addressOf(path))
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
    if (visit !== route.visit || path === pathOf(location.pathname)) return
    renamePage(addressOf(path))
    route.path = path
  }
}

/** Follows links to our own pages; all others are the browser's. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
    return
  const link = (event.target as Element).closest('a')
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return
  if (!link.pathname.startsWith(addressOf('/')) || link.pathname.startsWith(addressOf('/api/')))
    return
  event.preventDefault()
  go(pathOf(link.pathname))
}
