/** What the frame around every page shows: also the game of the page, and whose rules are open. */

export const page = $state({ title: '', badge: '', lost: false, game: '', reading: '' })
