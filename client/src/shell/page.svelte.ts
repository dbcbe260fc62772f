/**
 * What the frame around every page shows, and the game of the page.
 * `reading` is what lies open: the rules of a game by its name, or `luck`, the page on luck.
 * `topic` is the heading where the rules open: its English text in small letters, with dashes.
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
  topic: '',
})
