/** Pointing at routes: with a finger or a mouse, and with the keyboard. */

import { ARROWS, nextPlace } from '../../../table/arrows'
import type { Means } from '../../../table/turn.svelte'
import type { Plan } from './plan'

const TAP_PX = 24 // how far from a route a finger may be

/** What can be pointed at, and what follows. */
export interface Pointable {
  plan: Plan
  svg: SVGSVGElement | undefined
  /** Routes that can be taken now. */
  free: ReadonlySet<string>
  onpick: ((route: string, means: Means) => void) | undefined
}

export class Pointing {
  active: string | null = $state(null)

  constructor(private readonly board: () => Pointable) {}

  /** The route that the Tab key comes to. */
  readonly focusable = $derived.by(() => {
    const { plan, free } = this.board()
    return this.active ?? [...free][0] ?? plan.data.routes[0]!.name
  })

  click = (event: MouseEvent): void => {
    const { plan, svg, free, onpick } = this.board()
    if (!onpick || !svg) return
    const matrix = svg.getScreenCTM()!
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    const route = plan.nearest([p.x, p.y], Math.max(TAP_PX / matrix.a, 26), free)
    if (!route) return
    this.active = route
    onpick(route, ((event as PointerEvent).pointerType || 'mouse') as Means)
  }

  key = (event: KeyboardEvent): void => {
    const { plan, free, onpick } = this.board()
    if (!onpick) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onpick(this.focusable, 'key')
      return
    }
    const step = ARROWS[event.key]
    if (!step) return
    event.preventDefault()
    const names = event.shiftKey || !free.size ? plan.route.keys() : free
    const middle = (name: string) => plan.middle(plan.route.get(name)!)
    const next = nextPlace(this.focusable, step, names, middle)
    if (next) this.focus(next)
  }

  /** The route that has the focus is the active one. */
  focused = (event: FocusEvent): void => {
    const route = (event.target as Element).closest<SVGElement>('[data-route]')
    this.active = route?.dataset.route ?? this.active
  }

  /** Puts the focus on a route. */
  focus(name?: string): void {
    const { svg, free } = this.board()
    this.active = name ?? [...free][0] ?? this.active
    const route = this.active ?? this.focusable
    svg?.querySelector<SVGGElement>(`[data-route="${route}"]`)?.focus()
  }
}
