/** Pointing at routes: with a finger or a mouse, and with the keyboard. */

import type { Means } from '../../../table/turn.svelte'
import { type Pointable, Pointing } from '../../pointing.svelte'
import type { Layout } from './layout'
import type { Plan } from './plan'

const TAP_PX = 24 // how far from a route a finger may be

type Board = Pointable & { plan: Plan; layout: Layout | null; free: ReadonlySet<string> }

export class RoutePointing extends Pointing<Board> {
  constructor(board: () => Board) {
    super('route', board)
  }

  protected names() {
    return this.board().plan.route
  }
  protected useful() {
    return [...this.board().free]
  }
  protected middle(name: string) {
    return this.board().layout!.middle(name)
  }

  /** Picks the route that a click means; returns whether there is one. */
  pick(event: MouseEvent): boolean {
    const { layout, svg, free, onpick } = this.board()
    if (!onpick || !svg || !layout) return false
    const { at, scale } = this.at(event)
    const route = layout.nearest(at, Math.max(TAP_PX / scale, layout.deep), free)
    if (!route) return false
    this.active = route
    onpick(route, ((event as PointerEvent).pointerType || 'mouse') as Means)
    return true
  }
}
