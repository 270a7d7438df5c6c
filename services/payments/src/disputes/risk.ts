/** When disputes of one address are alarming (decisions §10); any one suffices. As merchants are told them. */
export type RiskThresholds = Readonly<{
  /** Disputes at one merchant. */
  merchantIpThreshold: number
  /** Disputes at all merchants together. */
  platformIpThreshold: number
  distinctMerchantsThreshold: number
}>

/** The thresholds and how many days back disputes count. */
export type RiskRules = Readonly<{ thresholds: RiskThresholds; windowDays: number }>

/** Disputes of one address within the window at each merchant that has any. */
export type DisputeCounts = ReadonlyMap<string, number>

export type RiskStats = Readonly<{ merchantCount: number; platformCount: number; distinctMerchants: number }>

/** What each merchant is told of an address, or nothing while no threshold is reached. */
export const judgeRisk = (
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

/** `high` where the address strikes beyond one merchant's threshold. */
export const severityOf = (
  { platformCount, distinctMerchants }: RiskStats,
  thresholds: RiskThresholds,
): 'medium' | 'high' =>
  platformCount >= thresholds.platformIpThreshold ||
  distinctMerchants >= thresholds.distinctMerchantsThreshold
    ? 'high'
    : 'medium'
