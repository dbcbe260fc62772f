/** Names above a line: none lies on another one. */

/**
 * Moves places apart until each is `room` from the next one, within 0 and `width`, as little as
 * possible from where they belong; the first ones first.
 */
export function spread(places: readonly number[], room: number, width: number): number[] {
  const apart: number[] = []
  for (const place of places) apart.push(Math.max(place, (apart.at(-1) ?? -room / 2) + room))
  let most = width - room / 2
  for (let i = apart.length - 1; i >= 0; i--, most -= room) apart[i] = Math.min(apart[i]!, most)
  return apart
}
