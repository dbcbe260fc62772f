/**
 * What the frame around every page shows: also the game of the page, and whose rules are open.
 * `note` says what is special about the page: today's deal, or a game that is only watched.
 * `alert` comes first in the title of the browser's tab: my turn, or how many games wait for me.
 */
export const page = $state({
  title: '',
  note: '',
  alert: '',
  badge: '',
  lost: false,
  game: '',
  reading: '',
})
