/** What happens again and again while a component is there. */

/** Does some work so often, in milliseconds; never while that is 0. */
export function every(ms: () => number, work: () => unknown): void {
  $effect(() => {
    const pause = ms()
    if (!pause) return
    const tick = setInterval(work, pause)
    return () => clearInterval(tick)
  })
}

/** The time in milliseconds, read so often. */
export function ticking(ms: () => number): { readonly at: number } {
  const clock = $state({ at: Date.now() })
  const read = () => (clock.at = Date.now())
  $effect(() => {
    if (ms()) read()
  })
  every(ms, read)
  return clock
}
