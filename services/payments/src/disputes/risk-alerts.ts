import type { EventSeals, Transaction } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails/cards'
import { isOpen } from '../fiat-orders/domain.ts'
import { describeProcessor } from '../fiat-orders/processors.ts'
import { riskAlertEvent, withSealedBody } from './events.ts'
import * as store from './risk-store.ts'
import { riskStatsByMerchant, type RiskRules } from './risk.ts'

const DAY_MS = 24 * 3_600_000

type Options = Readonly<{
  eventSeals: EventSeals
  processors: CardProcessors
  publicBaseUrl: string
  riskRules: RiskRules
}>

/**
 * Alerts the merchants of an IP whose disputes have reached a threshold, each once a window (decisions §10). Called in
 * the transaction that has recorded a dispute of it.
 */
export const raiseRiskAlerts = async (
  tx: Transaction,
  { eventSeals, processors, publicBaseUrl, riskRules: rules }: Options,
  { ip, ipMac, now }: Readonly<{ ip: string; ipMac: Buffer; now: Date }>,
): Promise<void> => {
  const since = new Date(now.getTime() - rules.windowDays * DAY_MS)
  await store.lockIp(tx, { ipMac })
  const rows = await store.countByMerchant(tx, { ipMac, since })
  const counts = new Map(rows.map((row) => [row.merchantId, row.count]))
  for (const [merchantId, stats] of riskStatsByMerchant(counts, rules.thresholds)) {
    const claimed = await store.claimAlert(tx, { ipMac, merchantId, now, since })
    const order = claimed && (await store.getLastDisputed(tx, { ipMac, merchantId }))
    if (!order || !isOpen(order)) continue
    const described = describeProcessor(processors, publicBaseUrl, order.processor)
    const event = riskAlertEvent({ ...described, order, ip, stats, rules, now })
    tx.emit(withSealedBody(eventSeals, event))
  }
}
