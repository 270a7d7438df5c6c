import type { CountedRefund, EventOf } from '@causeway/contracts'
import type { CardRefund } from '@causeway/rails/cards'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { fiatOrderEvent, type FiatOrderChange, type FiatOrderEventType } from '../fiat-orders/events.ts'
import { canonicalIp, maskIp } from '../payers/fingerprints.ts'
import { ledgerFactsOf } from './ledger-facts.ts'
import type { SettlementStep } from './transitions.ts'

/** The fact by which the refunds service learns of a refund that an order counts, or that failed and counts no more. */
const countedRefund = (order: OpenFiatOrder, refund: CardRefund, partnerSees: boolean): CountedRefund => ({
  partner_id: order.partnerId,
  partner_customer_id: order.partnerCustomerId,
  partner_sees: partnerSees,
  order_id: order.id,
  order_key: String(order.orderKey),
  processor: order.processor,
  processor_order_id: order.processorOrderId,
  processor_refund_id: refund.processorRefundId,
  refund_id: refund.refundId,
  amount_cents: refund.amountCents,
  currency: refund.currency,
  made_at: refund.createdAt.toISOString(),
  ...(refund.status === 'failed' && { has_failed: true }),
})

type Details = Pick<FiatOrderChange, 'processorFields' | 'risk' | 'fact'>

/** Fields of a step's event in addition to the order (spec: Payload shapes). */
const detailsOf = (step: SettlementStep, payerIp: string | null, partnerSees: boolean): Details => {
  const original = step.order.processorOrderId
  if (step.type === 'payment.refunded')
    return {
      processorFields: {
        order_id: step.refund.processorRefundId,
        refund_of_order_id: original,
        ...(step.refund.status === 'failed'
          ? { event: 'refund_failed', refunded_amount: 0 }
          : { refunded_amount: step.refund.amountCents }),
      },
      fact: { kind: 'refund', refund: countedRefund(step.order, step.refund, partnerSees) },
    }
  if (step.type !== 'payment.chargeback') return {}
  const ip = payerIp === null ? null : canonicalIp(payerIp)
  return {
    processorFields: {
      event: 'chargeback_detected',
      original_order_id: original,
      chargeback_order_id: step.dispute.disputeId,
      chargeback_of_order_id: original,
      flags_original: [],
      flags_chargeback: step.dispute.reason === null ? [] : [step.dispute.reason],
    },
    risk: { ip, ipMasked: ip === null ? null : maskIp(ip) },
  }
}

type StepContext = Pick<
  FiatOrderChange,
  'eventId' | 'psp' | 'projectId' | 'noticeUrl' | 'partnerSees' | 'now'
> &
  Readonly<{ payerIp: string | null; availableAfterMs: number }>

/** The event of one step of a settlement. That of a chargeback names the payer's IP to the merchant. */
export const settlementEvent = (
  step: SettlementStep,
  { payerIp, availableAfterMs, ...context }: StepContext,
): EventOf<FiatOrderEventType> =>
  fiatOrderEvent({
    ...context,
    type: step.type,
    order: step.order,
    ...detailsOf(step, payerIp, context.partnerSees),
    ledgerFacts: ledgerFactsOf(step, { availableAfterMs, now: context.now }),
  })
