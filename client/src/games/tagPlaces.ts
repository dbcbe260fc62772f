/** Where the names of two compared moves stand on a board. */

/** What a move is called, and where it ends. */
export interface MoveTag {
  kind: 'played' | 'best'
  text: string
  x: number
  y: number
}

/** A tag and the middle of its plate. */
export interface PlacedTag extends MoveTag {
  wide: number
}

/**
 * Puts each of two tags above or below its place, on different sides where they could meet, and
 * never beyond the edge. `size` is the height of letters, `away` the distance from the place.
 */
export function tagsApart(
  tags: readonly MoveTag[],
  board: { width: number; height: number },
  size: number,
  away: number,
): PlacedTag[] {
  const room = away + 1.75 * size
  return tags.map((tag, k) => {
    const wide = size * (0.58 * tag.text.length + 1.1)
    const other = tags[1 - k]
    const higher = !other || tag.y < other.y || (tag.y === other.y && k === 0)
    const above = tag.y >= room && (higher || tag.y > board.height - room)
    const x = Math.max(wide / 2, Math.min(tag.x, board.width - wide / 2))
    return { ...tag, wide, x, y: tag.y + (above ? -1 : 1) * (away + 0.75 * size) }
  })
}
