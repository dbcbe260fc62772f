/** Pointing at routes: with a finger or a mouse, and with the keyboard. */

import type { Means } from '../../../table/turn.svelte'
import { type Pointable, Pointing } from '../../pointing.svelte'
import type { Plan } from './plan'

const TAP_PX = 24 // how far from a route a finger may be

type Board = Pointable & { plan: Plan; free: ReadonlySet<string> }

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
    const { plan } = this.board()
    return plan.middle(plan.route.get(name)!)
  }

  click = (event: MouseEvent): void => {
    const { plan, svg, free, onpick } = this.board()
    if (!onpick || !svg) return
    const { at, scale } = this.at(event)
    const route = plan.nearest(at, Math.max(TAP_PX / scale, 26), free)
    if (!route) return
    this.active = route
    onpick(route, ((event as PointerEvent).pointerType || 'mouse') as Means)
  }
}
