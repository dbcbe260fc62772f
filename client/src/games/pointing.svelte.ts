/** Pointing at the things of a board: what has the focus, and keys that go from one to another. */

import type { Means } from '../table/turn.svelte'

type Point = [x: number, y: number]

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

/** What every board has to be pointed at. */
export interface Pointable {
  svg: SVGSVGElement | undefined
  /** What follows when something is picked; nothing can be without it. */
  onpick?: ((name: string, means: Means) => void) | undefined
}

export abstract class Pointing<Board extends Pointable> {
  /** What was pointed at last. */
  active: string | null = $state(null)

  /** The elements of a board name themselves in `data-station` or `data-route`. */
  constructor(
    private readonly kind: 'station' | 'route',
    protected readonly board: () => Board,
  ) {}

  /** Everything on the board by name. */
  protected abstract names(): ReadonlyMap<string, unknown>
  /** What arrow keys go to, as long as there is any. */
  protected abstract useful(): readonly string[]
  /** Where something lies. */
  protected abstract middle(name: string): Point

  /** What the Tab key comes to. */
  readonly focusable = $derived.by(() => {
    const names = this.names()
    if (this.active !== null && names.has(this.active)) return this.active
    return this.useful()[0] ?? names.keys().next().value!
  })

  key = (event: KeyboardEvent): void => {
    const { onpick } = this.board()
    const step = ARROWS[event.key]
    const picks = event.key === 'Enter' || event.key === ' '
    if (!onpick || !(step || picks)) return
    event.preventDefault()
    if (!step) return onpick(this.focusable, 'key')
    const useful = this.useful()
    const names = event.shiftKey || !useful.length ? this.names().keys() : useful
    const next = nextPlace(this.focusable, step, names, (name) => this.middle(name))
    if (next) this.focus(next)
  }

  /** What has the focus is the active one. */
  focused = (event: FocusEvent): void => {
    const element = (event.target as Element).closest<SVGElement>(`[data-${this.kind}]`)
    this.active = element?.dataset[this.kind] ?? this.active
  }

  focus(name?: string): void {
    this.active = name ?? this.useful()[0] ?? this.active
    const selector = `[data-${this.kind}="${this.active ?? this.focusable}"]`
    this.board().svg?.querySelector<SVGGElement>(selector)?.focus()
  }

  /** Where a pointer is in the drawing, and how many pixels a unit of the drawing has there. */
  protected at(event: MouseEvent): { at: Point; scale: number } {
    const screen = this.board().svg!.getScreenCTM()!
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse())
    return { at: [x, y], scale: screen.a }
  }
}
