/** What flies over the page of a game while a scene is told: from where, and how. */

export interface Spot {
  x: number
  y: number
}

/** How everything that flies speeds up and slows down. */
export const FLIGHT = 'cubic-bezier(.2,.8,.3,1)'
/** Puts the middle of something, not its corner, where it is moved to. */
export const LYING = 'translate(-50%, -50%)'

/** The middle of something on the page of the game; null where it is not shown. */
export function middle(selector: string): Spot | null {
  const box = document.querySelector(`[data-testid=play] ${selector}`)?.getBoundingClientRect()
  return box?.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null
}

/** A transform to a place, and what else is done there. */
export const moved = ({ x, y }: Spot, more: string): string => `translate(${x}px, ${y}px) ${more}`
