import { newId, type ServiceContext, type Transaction } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardProcessors } from '@causeway/rails'
import { countedRefund } from './counted-refund.ts'
import { fiatOrderEvent, type FiatOrderChange } from '../fiat-orders/events.ts'
import { isOpen, type OpenFiatOrder } from '../fiat-orders/domain.ts'
import {
  followDispute,
  refundIdsAfter,
  settleFiatOrder,
  type FiatStep,
  type Settlement,
} from './transitions.ts'
import { canonicalIp, maskIp } from '../payers/fingerprints.ts'
import type { RiskRules } from '../disputes/risk.ts'
import { scheduleAfterPayment } from '../disputes/threshold-store.ts'
import * as store from './store.ts'
import { describeProcessor } from '../fiat-orders/processors.ts'
import { recordDispute } from '../disputes/record.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import { learnPayer, marksOf, openPayer, sealPayer, type Payer } from '../payers/sealed-payers.ts'
import { raiseRiskAlerts } from '../disputes/risk-alerts.ts'
import { withSealedBody } from '../disputes/sealed-events.ts'

type Options = Readonly<{
  processors: CardProcessors
  publicBaseUrl: string
  riskRules: RiskRules
  /** How long after its payment an order is read again. */
  reviewAfterMs: number
}>
type Extras = Pick<FiatOrderChange, 'processorFields' | 'merchantExtras' | 'fact'>
type Held = store.LockedOrder & OpenFiatOrder

/** What is told of a step beyond the order: to the merchant's receivers (spec: Payload shapes) and to other services. */
const extrasOf = (step: FiatStep, payer: Payer, partnerSees: boolean): Extras => {
  const original = step.order.processorOrderId
  if (step.type === 'payment.refunded')
    return {
      processorFields: {
        order_id: step.refund.processorRefundId,
        refund_of_order_id: original,
        refunded_amount: step.refund.amountCents,
      },
      fact: { kind: 'refund', refund: countedRefund(step.order, step.refund, partnerSees) },
    }
  if (step.type !== 'payment.chargeback') return {}
  const ip = payer.ip === null ? null : canonicalIp(payer.ip)
  return {
    processorFields: {
      event: 'chargeback_detected',
      original_order_id: original,
      chargeback_order_id: step.dispute.disputeId,
      chargeback_of_order_id: original,
      flags_original: [],
      flags_chargeback: step.dispute.reason === null ? [] : [step.dispute.reason],
    },
    merchantExtras: { risk: { ip, ipMasked: ip === null ? null : maskIp(ip) } },
  }
}

/** Brings card orders to where their payments are, each change once and with its events. */
export const createFiatSettlement = (context: ServiceContext, options: Options) => {
  const { db, clock, vault } = context
  const payerSealer = createPayerSealer(context)

  const toldOf = async (tx: Transaction, orderId: string) => {
    const told = await store.getCounted(tx, { orderId })
    return { refundIds: new Set(told?.refundIds), disputeIds: new Set(told?.disputeIds) }
  }

  const write = async (
    tx: Transaction,
    held: Held,
    { order, steps }: Settlement,
    payer: Payer,
  ): Promise<void> => {
    const now = clock.now()
    const described = describeProcessor(options.processors, options.publicBaseUrl, order.processor)
    for (const step of steps) {
      if (step.type === 'payment.refunded') {
        const { processorRefundId, amountCents } = step.refund
        const counted = { processor: order.processor, processorRefundId, orderId: order.id, amountCents, now }
        await store.insertCountedRefund(tx, counted)
      }
      if (step.type === 'payment.confirmed')
        await scheduleAfterPayment(tx, { merchantId: order.merchantId, now })
      if (step.type === 'payment.chargeback')
        await recordDispute(tx, context, { order: step.order, dispute: step.dispute, payer, now })
      const change = { eventId: newId('event'), type: step.type, partnerSees: held.partnerSees, now }
      const extras = extrasOf(step, payer, held.partnerSees)
      const event = fiatOrderEvent({ ...change, order: step.order, ...described, ...extras })
      tx.emit(step.type === 'payment.chargeback' ? withSealedBody(context.eventSeals, event) : event)
    }
    await store.update(tx, {
      partnerId: order.partnerId,
      orderId: order.id,
      status: order.status,
      processorStatus: order.processorStatus,
      refundedCents: order.refundedCents,
      chargebackCents: order.chargebackCents,
      completedAt: order.completedAt,
      updatedAt: order.updatedAt,
      payerSealed: sealPayer(await payerSealer(now), order.id, payer),
      reviewAt: new Date(now.getTime() + options.reviewAfterMs),
    })
    const { ip: mac } = marksOf(vault, payer)
    const ip = payer.ip === null ? null : canonicalIp(payer.ip)
    if (ip !== null && mac !== null && steps.some(({ type }) => type === 'payment.chargeback'))
      await raiseRiskAlerts(tx, { ...options, eventSeals: context.eventSeals }, { ip, mac, now })
  }

  return {
    /**
     * Null when no order has this payment: it was opened by a call that died, or is of somebody else. `refundIds` are
     * the processor's refunds that the order has counted by then.
     */
    applyPayment: (processor: string, payment: CardPayment) =>
      db.transaction(async (tx) => {
        const held = await store.lockByProcessorOrder(tx, {
          processor,
          processorOrderId: payment.processorOrderId,
        })
        if (!held || !isOpen(held)) return null
        const payer = learnPayer(vault, held, payment.payer)
        const told = await toldOf(tx, held.id)
        const settled = settleFiatOrder(held, payment, told, clock.now())
        const isNews = settled.steps.length > 0 || settled.order.processorStatus !== held.processorStatus
        if (isNews) await write(tx, held, settled, payer)
        return { ...settled, refundIds: refundIdsAfter(told, settled) }
      }),
    /** Records a dispute of the periodic file against a locked order; false when it was known. */
    applyDispute: async (tx: Transaction, held: Held, dispute: CardDispute): Promise<boolean> => {
      const settled = followDispute(held, dispute, await toldOf(tx, held.id), clock.now())
      if (settled.steps.length > 0)
        await write(tx, held, settled, openPayer(vault, held.id, held.payerSealed))
      return settled.steps.length > 0
    },
  }
}
export type FiatSettlement = ReturnType<typeof createFiatSettlement>
