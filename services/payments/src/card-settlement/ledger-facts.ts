import type { LedgerFact, LedgerFactOf } from '@causeway/contracts'
import type { CardDispute, CardRefund } from '@causeway/rails/cards'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { returnedFeeCents } from '../fiat-orders/service-fee.ts'
import { sharesBetween, type Shares } from '../fiat-orders/shares.ts'
import { disputedAmount, type SettlementStep } from './transitions.ts'

type Context = Readonly<{
  /** `CARD_AVAILABLE_AFTER`: time from the payment to its availability. */
  availableAfterMs: number
  now: Date
}>

/**
 * Fields of every fact about an order. Ids of facts derive from what they are about, so that a fact made again has the same
 * id.
 */
const aboutOrder = (order: OpenFiatOrder, { partnerFeeCents, splits }: Shares, at: Date) => ({
  order_key: String(order.orderKey),
  order_id: order.id,
  partner_id: order.partnerId,
  partner_customer_id: order.partnerCustomerId,
  processor: order.processor,
  currency: order.currency,
  partner_fee_cents: partnerFeeCents,
  splits: splits.map(({ partner_customer_id, amount_cents }) => ({ partner_customer_id, amount_cents })),
  at: at.toISOString(),
})

const availableAt = ({ completedAt }: OpenFiatOrder, { availableAfterMs, now }: Context): string =>
  new Date((completedAt ?? now).getTime() + availableAfterMs).toISOString()

const paidFact = (order: OpenFiatOrder, context: Context): LedgerFactOf<'card_paid'> => ({
  kind: 'card_paid',
  fact_id: `card_paid:${order.id}`,
  ...aboutOrder(order, order, context.now),
  total_cents: order.totalCents,
  service_fee_cents: order.serviceFeeCents,
  available_at: availableAt(order, context),
})

/** The service fee that a refund gives back, or that its failure takes again. A disputed order counts no refunds. */
const feeOfRefund = (before: OpenFiatOrder, after: OpenFiatOrder, { amountCents }: CardRefund): number => {
  const [from, to] =
    after.status === 'chargeback' ? [0, amountCents] : [before.refundedCents, after.refundedCents]
  return Math.abs(returnedFeeCents(after, to) - returnedFeeCents(after, from))
}

/** Processors state a refund's amount; it left also where a dispute has come first. */
const refundedFact = (
  { before, order, refund }: Extract<SettlementStep, { type: 'payment.refunded' }>,
  context: Context,
): LedgerFactOf<'card_refunded'> => {
  const subject = `${order.processor}:${refund.processorRefundId}`
  const madeId = `card_refunded:${subject}`
  const isTakenBack = refund.status === 'failed'
  return {
    kind: 'card_refunded',
    fact_id: isTakenBack ? `card_refund_failed:${subject}` : madeId,
    ...aboutOrder(order, sharesBetween(order, before.reversedCents, order.reversedCents), context.now),
    amount_cents: refund.amountCents,
    service_fee_cents: feeOfRefund(before, order, refund),
    available_at: availableAt(order, context),
    reverses: isTakenBack ? madeId : null,
  }
}

/** The fee that the merchant bears: its plan's, or the one that the processor stated. */
const disputeFee = (
  { disputeFeeCents }: OpenFiatOrder,
  { feeCents, feeCurrency }: CardDispute,
): Pick<LedgerFactOf<'card_disputed'>, 'fee' | 'plan_fee_cents'> => {
  if (disputeFeeCents !== null) return { fee: null, plan_fee_cents: disputeFeeCents }
  const isStated = feeCents !== null && feeCurrency !== null
  return { fee: isStated ? { currency: feeCurrency, amount_cents: feeCents } : null }
}

const disputedFact = (
  { before, order, dispute }: Extract<SettlementStep, { type: 'payment.chargeback' }>,
  { now }: Context,
): LedgerFactOf<'card_disputed'> => {
  const { amountCents, isEstimated } = disputedAmount(before, dispute)
  return {
    kind: 'card_disputed',
    fact_id: `card_disputed:${order.processor}:${dispute.disputeId}`,
    ...aboutOrder(order, sharesBetween(order, before.reversedCents, order.reversedCents), now),
    amount_cents: amountCents,
    estimated: isEstimated,
    ...disputeFee(order, dispute),
    reverses: null,
  }
}

const UNPAID: readonly string[] = ['pending', 'cancelled', 'expired']

/** The movements of money of one step of a settlement. */
export const ledgerFactsOf = (step: SettlementStep, context: Context): LedgerFact[] => {
  switch (step.type) {
    case 'payment.confirmed':
      return [paidFact(step.order, context)]
    case 'payment.refunded':
      return [refundedFact(step, context)]
    case 'payment.chargeback':
      // A dispute proves the payment of an order that was never seen paid, and never will be.
      return [
        ...(UNPAID.includes(step.before.status) ? [paidFact(step.order, context)] : []),
        disputedFact(step, context),
      ]
    case 'payment.cancelled':
    case 'payment.expired':
      return []
  }
}
