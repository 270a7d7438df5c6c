/** When disputes of one address are alarming (decisions §10); any one suffices. */
export const RISK_THRESHOLDS = {
  merchantIpThreshold: 3,
  platformIpThreshold: 5,
  distinctMerchantsThreshold: 2,
} as const
export const RISK_WINDOW_DAYS = 30

/** Disputes of one address within the window at each merchant that has any. */
export type DisputeCounts = ReadonlyMap<string, number>

export type RiskStats = Readonly<{ merchantCount: number; platformCount: number; distinctMerchants: number }>

/** What each merchant is told of an address, or nothing while no threshold is reached. */
export const judgeRisk = (counts: DisputeCounts): ReadonlyMap<string, RiskStats> => {
  const platformCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const isReached =
    platformCount >= RISK_THRESHOLDS.platformIpThreshold ||
    counts.size >= RISK_THRESHOLDS.distinctMerchantsThreshold ||
    [...counts.values()].some((count) => count >= RISK_THRESHOLDS.merchantIpThreshold)
  if (!isReached) return new Map()
  const stats = (merchantCount: number) => ({ merchantCount, platformCount, distinctMerchants: counts.size })
  return new Map([...counts].map(([merchantId, count]) => [merchantId, stats(count)]))
}

/** `high` where the address strikes beyond one merchant's threshold. */
export const severityOf = ({ platformCount, distinctMerchants }: RiskStats): 'medium' | 'high' =>
  platformCount >= RISK_THRESHOLDS.platformIpThreshold ||
  distinctMerchants >= RISK_THRESHOLDS.distinctMerchantsThreshold
    ? 'high'
    : 'medium'
