/** Value at a share of sorted numbers, the nearest rank at or above it. @param sorted ascending, not empty */
export const quantile = (sorted: ArrayLike<number>, share: number): number => {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))
  return sorted[index] ?? Number.NaN
}

/** A figure of several measurements: the median and the range. */
export type Spread = Readonly<{ median: number; low: number; high: number }>

/** The middle value (of an even number the mean of the two middle ones), the least and the greatest. */
export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b)
  const above = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const below = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return { median: (above + below) / 2, low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN }
}
