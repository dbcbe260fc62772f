/**
 * What the frame around every page shows: also the game of the page, and whose rules are open.
 * `note` says what is special about the page: today's deal, or a game that is only watched.
 */
export const page = $state({ title: '', note: '', badge: '', lost: false, game: '', reading: '' })
