import { newId, type EventSeals, type Transaction } from '@causeway/chassis'
import type { DomainEvent } from '@causeway/contracts'
import type { CardProcessors } from '@causeway/rails'
import { merchantOrder } from '../fiat-orders/events.ts'
import { isOpen, type OpenFiatOrder } from '../fiat-orders/domain.ts'
import { maskIp } from '../payers/fingerprints.ts'
import { judgeRisk, severityOf, type RiskRules, type RiskStats } from './risk.ts'
import * as store from './risk-store.ts'
import { describeProcessor } from '../fiat-orders/processors.ts'
import { withSealedBody } from './sealed-events.ts'

type Options = Readonly<{
  eventSeals: EventSeals
  processors: CardProcessors
  publicBaseUrl: string
  riskRules: RiskRules
}>

const riskOf = (ip: string, stats: RiskStats, { thresholds, windowDays }: RiskRules) => ({
  kind: 'chargeback_ip_spike',
  ip,
  ipMasked: maskIp(ip),
  windowDays,
  thresholds,
  stats,
  severity: severityOf(stats, thresholds),
  message: `${stats.platformCount} chargebacks from ${maskIp(ip)} in ${windowDays} days`,
})

const alert = (
  tx: Transaction,
  options: Options,
  told: { order: OpenFiatOrder; ip: string; stats: RiskStats; now: Date },
): void => {
  const { order, ip, stats, now } = told
  const described = describeProcessor(options.processors, options.publicBaseUrl, order.processor)
  const event: DomainEvent = {
    id: newId('event'),
    name: 'risk.alert',
    created_at: now.toISOString(),
    partners: [],
    merchant: {
      merchant_id: order.merchantId,
      integration_id: order.integrationId,
      event: 'risk_alert',
      body: {
        event: 'risk_alert',
        order: merchantOrder({ order, ...described }),
        risk: riskOf(ip, stats, options.riskRules),
      },
    },
    fact: null,
  }
  tx.emit(withSealedBody(options.eventSeals, event))
}

/**
 * Alerts the merchants of an address whose disputes have reached a threshold, each once a window (decisions §10).
 * Called in the transaction that has recorded a dispute of it.
 */
export const raiseRiskAlerts = async (
  tx: Transaction,
  options: Options,
  address: Readonly<{ ip: string; mac: Buffer; now: Date }>,
): Promise<void> => {
  const { ip, mac, now } = address
  const { thresholds, windowDays } = options.riskRules
  const since = new Date(now.getTime() - windowDays * 24 * 3_600_000)
  await store.lockIp(tx, { ipMac: mac })
  const rows = await store.countByMerchant(tx, { ipMac: mac, since })
  const counts = new Map(rows.map((row) => [row.merchantId, row.count]))
  for (const [merchantId, stats] of judgeRisk(counts, thresholds)) {
    const claimed = await store.claimAlert(tx, { ipMac: mac, merchantId, now, since })
    const order = claimed && (await store.getLastDisputed(tx, { ipMac: mac, merchantId }))
    if (order && isOpen(order)) alert(tx, options, { order, ip, stats, now })
  }
}
