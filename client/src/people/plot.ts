/** The line of a plot: the mean of the last results at each of them. */

export const LAST = 10

export function means(totals: number[], last = LAST): number[] {
  return totals.map((_, i) => {
    const seen = totals.slice(Math.max(0, i + 1 - last), i + 1)
    return seen.reduce((sum, total) => sum + total, 0) / seen.length
  })
}

/** Two round numbers around all totals, and a step between marks. */
export function scale(totals: number[]): { least: number; most: number; step: number } {
  const [low, high] = [Math.min(...totals), Math.max(...totals)]
  const step = [5, 10, 20, 50, 100, 200, 500].find((size) => (high - low) / size <= 3) ?? 1000
  const least = Math.floor(low / step) * step
  return { least, most: Math.max(Math.ceil(high / step) * step, least + step), step }
}
