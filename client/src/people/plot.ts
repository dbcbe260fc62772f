/** The line of a plot: the mean of the last results at each of them, and how sure it is. */

export const LAST = 10

const recent = (values: number[], i: number, last: number) =>
  values.slice(Math.max(0, i + 1 - last), i + 1)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

export const means = (values: number[], last = LAST): number[] =>
  values.map((_, i) => mean(recent(values, i, last)))

/** The standard error of each of these means; none where there is a single value. */
export const errors = (values: number[], last = LAST): number[] =>
  values.map((_, i) => {
    const seen = recent(values, i, last)
    const squares = seen.map((value) => (value - mean(seen)) ** 2)
    const sum = squares.reduce((total, square) => total + square, 0)
    return seen.length > 1 ? Math.sqrt(sum / (seen.length - 1) / seen.length) : 0
  })

/** Two round numbers around all totals, and a step between marks. */
export function scale(totals: number[]): { least: number; most: number; step: number } {
  const [low, high] = [Math.min(...totals), Math.max(...totals)]
  const step = [5, 10, 20, 50, 100, 200, 500].find((size) => (high - low) / size <= 3) ?? 1000
  const least = Math.floor(low / step) * step
  return { least, most: Math.max(Math.ceil(high / step) * step, least + step), step }
}
