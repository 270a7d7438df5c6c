import { newIdAt, type ServiceContext, type Transaction } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails/cards'
import { withSealedBody } from '../disputes/events.ts'
import { recordDispute } from '../disputes/record.ts'
import { raiseRiskAlerts } from '../disputes/risk-alerts.ts'
import type { RiskRules } from '../disputes/risk.ts'
import { scheduleAfterPayment } from '../disputes/threshold-store.ts'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { describeProcessor } from '../fiat-orders/processors.ts'
import { canonicalIp, fingerprintsOf } from '../payers/fingerprints.ts'
import { sealPayer, type Payer } from '../payers/sealed-payers.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import { settlementEvent } from './events.ts'
import * as store from './store.ts'
import type { Settlement, SettlementStep } from './transitions.ts'

export type SettlementOptions = Readonly<{
  processors: CardProcessors
  publicBaseUrl: string
  riskRules: RiskRules
  /** How long after its payment an order is read again. */
  reviewAfterMs: number
  /** Time from a payment to its availability in the merchant's balance. */
  availableAfterMs: number
}>
export type LockedOrder = store.SettledOrder & OpenFiatOrder

/** The event of one step of a settlement, under a new id. */
export const eventOfStep = (
  {
    processors,
    publicBaseUrl,
    availableAfterMs,
  }: Pick<SettlementOptions, 'processors' | 'publicBaseUrl' | 'availableAfterMs'>,
  step: SettlementStep,
  about: Readonly<{ partnerSees: boolean; payerIp: string | null; now: Date }>,
) =>
  settlementEvent(step, {
    eventId: newIdAt('event', about.now.getTime()),
    ...describeProcessor(processors, publicBaseUrl, step.order.processor),
    ...about,
    availableAfterMs,
  })

/** Stores a settlement of a locked order, with its events and the effects of its disputes. */
export const createSettlementWriter = (context: ServiceContext, options: SettlementOptions) => {
  const { clock, vault } = context
  const payerSealer = createPayerSealer(context)

  const raiseAlerts = async (tx: Transaction, payer: Payer, now: Date): Promise<void> => {
    const { ip: ipMac } = fingerprintsOf(vault, payer)
    const ip = payer.ip === null ? null : canonicalIp(payer.ip)
    if (ip !== null && ipMac !== null)
      await raiseRiskAlerts(tx, { ...options, eventSeals: context.eventSeals }, { ip, ipMac, now })
  }

  return async (
    tx: Transaction,
    locked: LockedOrder,
    { order, steps }: Settlement,
    payer: Payer,
  ): Promise<void> => {
    const now = clock.now()
    const { partnerSees } = locked
    for (const step of steps) {
      if (step.type === 'payment.refunded') {
        const { processorRefundId, amountCents } = step.refund
        const seen = { processor: order.processor, processorRefundId, orderId: order.id, now }
        if (step.refund.status === 'failed') await store.markRefundFailed(tx, seen)
        else await store.insertCountedRefund(tx, { ...seen, amountCents })
      }
      if (step.type === 'payment.confirmed')
        await scheduleAfterPayment(tx, { merchantId: order.merchantId, now })
      if (step.type === 'payment.chargeback')
        await recordDispute(tx, context, { order: step.order, dispute: step.dispute, payer, now })
      const event = eventOfStep(options, step, { partnerSees, payerIp: payer.ip, now })
      tx.emit(step.type === 'payment.chargeback' ? withSealedBody(context.eventSeals, event) : event)
    }
    await store.update(tx, {
      partnerId: order.partnerId,
      orderId: order.id,
      status: order.status,
      processorStatus: order.processorStatus,
      refundedCents: order.refundedCents,
      chargebackCents: order.chargebackCents,
      reversedCents: order.reversedCents,
      completedAt: order.completedAt,
      updatedAt: order.updatedAt,
      payerSealed: sealPayer(await payerSealer(now), order.id, payer),
      reviewAt: new Date(now.getTime() + options.reviewAfterMs),
    })
    if (steps.some(({ type }) => type === 'payment.chargeback')) await raiseAlerts(tx, payer, now)
  }
}
