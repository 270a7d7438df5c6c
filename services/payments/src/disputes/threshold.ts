/** The chargeback threshold, above which a merchant loses the card capability (decisions §4). */
export type DisputeThreshold = Readonly<{
  /** The share of paid orders that may be disputed, in billionths: exact where a float is not. */
  shareBillionths: bigint
  /** A merchant with fewer disputes is never above the threshold. */
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

/** Counts of a merchant within the window. */
export type DisputeTally = Readonly<{
  disputes: number
  disputedOrders: number
  /** Orders that were paid, whatever became of them since. */
  paidOrders: number
  oldestDisputeAt: Date | null
}>

/** Checks whether a merchant is above the threshold; an equal share is not. */
export const isOverThreshold = (tally: DisputeTally, threshold: DisputeThreshold): boolean =>
  tally.disputes >= threshold.minDisputes &&
  BigInt(tally.disputedOrders) * WHOLE > BigInt(tally.paidOrders) * threshold.shareBillionths

/** Fields that other services receive about a merchant above the threshold, except the time. */
export type ThresholdMeasure = Readonly<{ share: number; threshold: number; window_hours: number }>

const HOUR_MS = 3_600_000
/** One hundredth of a percent: finer changes are not worth an event. */
const SHARE_STEPS = 10_000

/**
 * How far a merchant is above the threshold. The share is 1 at the most: orders may be disputed in a window that they
 * were paid before.
 */
export const measureOf = (tally: DisputeTally, threshold: DisputeThreshold): ThresholdMeasure => ({
  share:
    Math.round(Math.min(1, tally.disputedOrders / Math.max(1, tally.paidOrders)) * SHARE_STEPS) / SHARE_STEPS,
  threshold: Number(threshold.shareBillionths) / Number(WHOLE),
  window_hours: threshold.windowMs / HOUR_MS,
})

/** Checks whether two measures are equal; null means no measure. */
export const isSameMeasure = (one: ThresholdMeasure | null, other: ThresholdMeasure | null): boolean =>
  one?.share === other?.share &&
  one?.threshold === other?.threshold &&
  one?.window_hours === other?.window_hours

/**
 * How many of the window's paid orders have to leave it before a merchant that is not above the threshold is, by that
 * alone; null when it cannot be.
 */
export const departuresUntilOver = (tally: DisputeTally, threshold: DisputeThreshold): number | null => {
  if (tally.disputes < threshold.minDisputes) return null
  const disputed = BigInt(tally.disputedOrders) * WHOLE
  const { shareBillionths } = threshold
  const maxPaidWhenOver = (disputed - 1n) / shareBillionths
  return tally.paidOrders - Number(maxPaidWhenOver)
}
