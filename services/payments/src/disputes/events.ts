import { newIdAt, type EventSeals } from '@causeway/chassis'
import type { EventOf, MerchantEventName } from '@causeway/contracts'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { merchantOrder, type FiatOrderChange } from '../fiat-orders/events.ts'
import { maskIp } from '../payers/fingerprints.ts'
import type { ThresholdMeasure } from './threshold.ts'
import { severityOf, type RiskRules, type RiskStats } from './risk.ts'

/**
 * Seals the whole body for the merchant, for the webhooks service only, because it contains the payer's IP: neither the
 * outbox nor the stream has it in plain text (ADR 0044).
 */
export const withSealedBody = <N extends MerchantEventName>(
  seals: EventSeals,
  event: EventOf<N>,
): EventOf<N> => {
  const { merchant } = event
  if (!merchant) return event
  const sealed = seals.seal('webhooks', event.id, JSON.stringify(merchant.body))
  return { ...event, merchant: { ...merchant, body: { event: merchant.event }, sealed_body: sealed } }
}

const riskOf = (ip: string, stats: RiskStats, { thresholds, windowDays }: RiskRules) => ({
  kind: 'chargeback_ip_spike' as const,
  ip,
  ipMasked: maskIp(ip),
  windowDays,
  thresholds,
  stats,
  severity: severityOf(stats, thresholds),
  message: `${stats.platformCount} chargebacks from ${maskIp(ip)} in ${windowDays} days`,
})

/** `risk_alert` to the merchant of a disputed order; the body is not sealed yet. */
export const riskAlertEvent = ({
  order,
  ip,
  stats,
  rules,
  now,
  ...described
}: Pick<FiatOrderChange, 'psp' | 'noticeUrl' | 'now'> &
  Readonly<{
    order: OpenFiatOrder
    ip: string
    stats: RiskStats
    rules: RiskRules
  }>): EventOf<'risk.alert'> => ({
  id: newIdAt('event', now.getTime()),
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
      risk: riskOf(ip, stats, rules),
    },
  },
  fact: null,
})

type ThresholdStatus = Readonly<{
  merchantId: string
  isOver: boolean
  version: number
  /** Null below the threshold. */
  measure: ThresholdMeasure | null
}>

/** The fact by which onboarding learns that a merchant has crossed the chargeback threshold. */
export const disputeThresholdStatusChanged = (
  { merchantId, isOver, version, measure }: ThresholdStatus,
  now: Date,
): EventOf<'dispute_standing.changed'> => ({
  id: newIdAt('event', now.getTime()),
  name: 'dispute_standing.changed',
  created_at: now.toISOString(),
  partners: [],
  merchant: null,
  fact: {
    kind: 'dispute_standing',
    standing: {
      customer_id: merchantId,
      over_threshold: isOver,
      version,
      ...(measure ? { measure: { ...measure, measured_at: now.toISOString() } } : {}),
    },
  },
})
