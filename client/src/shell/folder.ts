/**
 * The folder of the host below which all pages are, as the server says: empty, or `/headway`.
 *
 * Everywhere else a path begins at our root. Links in markup (`href="/today"`) get the folder from
 * the build; what makes a path in a script for the browser calls `addressOf`.
 */

export const folder = document.documentElement.dataset.folder ?? ''

/** The address of one of our paths, for the browser. */
export const addressOf = (path: string): string => folder + path

/** The address of a socket. */
export const socketOf = (path: string): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${addressOf(path)}`

/** The path of an address of the browser. */
export const pathOf = (address: string): string =>
  address.startsWith(`${folder}/`) ? address.slice(folder.length) : address

/** A text of the server's as HTML, whose pictures are below our folder too. */
export const below = (html: string): string => html.replaceAll(' src="/', ` src="${folder}/`)
