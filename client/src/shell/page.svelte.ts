/** What the frame around every page shows; a component shows its part as long as it is there. */

const PLAIN = {
  title: '',
  /** What is special about the page: today's deal, or a game that is only watched. */
  note: '',
  /** First in the title of the browser's tab: my turn, or how many games wait for me. */
  alert: '',
  badge: '',
  /** Whether what the page follows cannot be reached. */
  lost: false,
  /** Whether people wait for me here, or I for them: then the frame offers to call me. */
  company: false,
  /** The game of the page. */
  game: '',
  /** The game whose rules the frame offers where no game is open. */
  rules: '',
  /** The heading where its rules open: its English text in small letters, with dashes. */
  topic: '',
}
type Shown = typeof PLAIN

export const page = $state({
  ...PLAIN,
  /** What lies open: the rules of a game by its name, or `luck`, the page on luck. */
  reading: '',
})

/** Shows something in the frame until the component that calls this is gone. */
export function show(parts: () => Partial<Shown>): void {
  $effect(() => {
    const shown = parts()
    Object.assign(page, shown)
    const before = Object.keys(shown).map((key) => [key, PLAIN[key as keyof Shown]])
    return () => void Object.assign(page, Object.fromEntries(before))
  })
}
