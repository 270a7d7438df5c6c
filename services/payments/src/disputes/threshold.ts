/** When a merchant's disputes cost it the card capability (decisions §4). */
export type DisputeThreshold = Readonly<{
  /** The share of paid orders that may be disputed: more is too much. In billionths, exact where a float is not. */
  shareBillionths: bigint
  /** Fewer disputes never are too many. */
  minDisputes: number
  windowMs: number
}>

const WHOLE = 1_000_000_000n

/** @param share such as 0.01, at most 9 decimals */
export const disputeThreshold = (share: number, minDisputes: number, windowMs: number): DisputeThreshold => ({
  shareBillionths: BigInt(Math.round(share * Number(WHOLE))),
  minDisputes,
  windowMs,
})

/** What happened at a merchant within the window. */
export type DisputeTally = Readonly<{
  disputes: number
  disputedOrders: number
  /** Orders that were paid, whatever became of them since. */
  paidOrders: number
  oldestDisputeAt: Date | null
}>

/** Whether the share is passed; to reach it exactly is not to pass it. */
export const isOverThreshold = (tally: DisputeTally, threshold: DisputeThreshold): boolean =>
  tally.disputes >= threshold.minDisputes &&
  BigInt(tally.disputedOrders) * WHOLE > BigInt(tally.paidOrders) * threshold.shareBillionths

/**
 * How many of the window's paid orders have to leave it before a merchant that is not over comes over by that alone;
 * null when it cannot.
 */
export const departuresUntilOver = (tally: DisputeTally, threshold: DisputeThreshold): number | null => {
  if (tally.disputes < threshold.minDisputes) return null
  const disputed = BigInt(tally.disputedOrders) * WHOLE
  const { shareBillionths } = threshold
  const mostWhenOver = (disputed - 1n) / shareBillionths
  return tally.paidOrders - Number(mostWhenOver)
}
