/**
 * Counts of disputes of one IP that raise an alert (decisions §10); any one suffices. The alert shows them to
 * merchants.
 */
export type RiskThresholds = Readonly<{
  /** Disputes at one merchant. */
  merchantIpThreshold: number
  /** Disputes at all merchants together. */
  platformIpThreshold: number
  distinctMerchantsThreshold: number
}>

/** The thresholds, and how many days back disputes count. */
export type RiskRules = Readonly<{ thresholds: RiskThresholds; windowDays: number }>

/** Disputes of one IP within the window at each merchant that has any. */
export type DisputeCounts = ReadonlyMap<string, number>

export type RiskStats = Readonly<{ merchantCount: number; platformCount: number; distinctMerchants: number }>

/** The statistics for each merchant of an IP; none while no threshold is reached. */
export const riskStatsByMerchant = (
  counts: DisputeCounts,
  thresholds: RiskThresholds,
): ReadonlyMap<string, RiskStats> => {
  const platformCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const isReached =
    platformCount >= thresholds.platformIpThreshold ||
    counts.size >= thresholds.distinctMerchantsThreshold ||
    [...counts.values()].some((count) => count >= thresholds.merchantIpThreshold)
  if (!isReached) return new Map()
  const stats = (merchantCount: number) => ({ merchantCount, platformCount, distinctMerchants: counts.size })
  return new Map([...counts].map(([merchantId, count]) => [merchantId, stats(count)]))
}

/** `high` where a threshold beyond that of one merchant is reached. */
export const severityOf = (
  { platformCount, distinctMerchants }: RiskStats,
  thresholds: RiskThresholds,
): 'medium' | 'high' =>
  platformCount >= thresholds.platformIpThreshold ||
  distinctMerchants >= thresholds.distinctMerchantsThreshold
    ? 'high'
    : 'medium'
