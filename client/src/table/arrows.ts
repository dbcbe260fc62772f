/** Going over a board with the arrow keys. */

type Point = readonly [x: number, y: number]

export const ARROWS: Readonly<Record<string, Point>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** The next place in a direction: near, and not far off it; at the edge, the other side. */
export function nextPlace(
  from: string,
  step: Point,
  names: Iterable<string>,
  place: (name: string) => Point,
): string | null {
  const here = place(from)
  let [best, least]: [string | null, number] = [null, Infinity]
  for (const name of names) {
    if (name === from) continue
    const there = place(name)
    const [dx, dy] = [there[0] - here[0], there[1] - here[1]]
    const along = dx * step[0] + dy * step[1]
    const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0])
    const cost = (along > 0 ? 0 : 1e6) + along + 2 * aside
    if (cost < least) [best, least] = [name, cost]
  }
  return best
}
