import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { formatMinorUnits, type UnattributedMoneyKind } from '@causeway/contracts'
import { maxRefundableCents } from '../fiat-orders/service-fee.ts'

/** One change of a card order; `order` is its state after it, `before` the one before. */
export type SettlementStep =
  | Readonly<{
      type: 'payment.confirmed' | 'payment.cancelled' | 'payment.expired'
      order: OpenFiatOrder
    }>
  | Readonly<{ type: 'payment.refunded'; before: OpenFiatOrder; order: OpenFiatOrder; refund: CardRefund }>
  | Readonly<{
      type: 'payment.chargeback'
      before: OpenFiatOrder
      order: OpenFiatOrder
      dispute: CardDispute
    }>

/**
 * The processor's ids of what an order counts: each refund and dispute changes it once. `failedRefundIds`: refunds that
 * it counted and that failed afterwards; they never count again, so that a read from before the failure changes nothing.
 */
export type CountedIds = Readonly<{
  refundIds: ReadonlySet<string>
  failedRefundIds: ReadonlySet<string>
  disputeIds: ReadonlySet<string>
}>

/** The order's state after everything, and the changes on the way there, oldest first. */
export type Settlement = Readonly<{ order: OpenFiatOrder; steps: readonly SettlementStep[] }>

/** A captured amount that counts for no order, in the currency's minor unit. */
export type CardMoney = Readonly<{
  kind: Extract<UnattributedMoneyKind, 'card_after_end' | 'card_mismatch' | 'excess'>
  currency: string
  amountCents: number
  reason: string | null
}>

type Captured = Pick<CardPayment, 'status' | 'currency' | 'paidCents'>

const pays = (order: OpenFiatOrder, { currency, paidCents }: Captured): boolean =>
  currency === order.currency && paidCents >= order.totalCents

/** Returns the part of a payment that does not count for its order, given the order before this settlement. */
export const cardMoneyOf = (order: OpenFiatOrder, payment: Captured): CardMoney | null => {
  const { status, currency, paidCents: amountCents } = payment
  if (status !== 'completed' || amountCents === 0) return null
  if (order.status === 'cancelled' || order.status === 'expired')
    return { kind: 'card_after_end', currency, amountCents, reason: null }
  if (order.status !== 'pending') return null
  if (!pays(order, payment)) {
    const [captured, asked] = [
      formatMinorUnits(amountCents, currency),
      formatMinorUnits(order.totalCents, order.currency),
    ]
    const reason = `captured ${captured} ${currency}; the order asks for ${asked} ${order.currency}`
    return { kind: 'card_mismatch', currency, amountCents, reason }
  }
  const surplus = amountCents - order.totalCents
  return surplus > 0 ? { kind: 'excess', currency, amountCents: surplus, reason: null } : null
}
type Transition = (from: OpenFiatOrder) => Settlement

const ENDS = {
  completed: { type: 'payment.confirmed', status: 'paid' },
  cancelled: { type: 'payment.cancelled', status: 'cancelled' },
  expired: { type: 'payment.expired', status: 'expired' },
} as const

const unchanged = (order: OpenFiatOrder): Settlement => ({ order, steps: [] })

const inSequence = (order: OpenFiatOrder, transitions: readonly Transition[]): Settlement =>
  transitions.reduce<Settlement>((before, transition) => {
    const after = transition(before.order)
    return { order: after.order, steps: [...before.steps, ...after.steps] }
  }, unchanged(order))

/**
 * Only a pending order follows its payment's status: a final status never changes back. A payment that captured less than
 * the order asks for, or another currency, does not pay it.
 */
const applyStatus = (
  order: OpenFiatOrder,
  payment: Captured & Pick<CardPayment, 'processorStatus'>,
  now: Date,
): Settlement => {
  const { status: paymentStatus, processorStatus } = payment
  if (order.status !== 'pending' || paymentStatus === 'new') return unchanged(order)
  const isUnpaid = paymentStatus === 'completed' && !pays(order, payment)
  if (paymentStatus === 'processing' || isUnpaid) return unchanged({ ...order, processorStatus })
  const { type, status } = ENDS[paymentStatus]
  const completedAt = status === 'paid' ? now : null
  const next = { ...order, status, processorStatus, updatedAt: now, completedAt }
  return { order: next, steps: [{ type, order: next }] }
}

/**
 * The settlement of a payment that completed after its order had ended, and that the merchant accepts: the order becomes
 * paid as if the payment had been in time. Null where the order has not ended, or the payment is not what it asks for.
 */
export const settleAccepted = (
  order: OpenFiatOrder,
  { currency, amountCents: paidCents }: Pick<CardMoney, 'currency' | 'amountCents'>,
  now: Date,
): Settlement | null => {
  const payment = { status: 'completed', processorStatus: 'completed', currency, paidCents } as const
  const hasEnded = order.status === 'cancelled' || order.status === 'expired'
  return hasEnded && pays(order, payment) ? applyStatus({ ...order, status: 'pending' }, payment, now) : null
}

const UNPAID = ['pending', 'cancelled', 'expired']

/**
 * Each succeeded refund of a paid order is counted once, and no longer once it has failed. One after a dispute succeeded too, but its cents are part of
 * the chargeback: they are never counted as both (spec: Fiat order).
 */
const countRefund = (
  order: OpenFiatOrder,
  refund: CardRefund,
  counted: CountedIds,
  now: Date,
): Settlement => {
  const { processorRefundId: id, status: refundStatus, amountCents } = refund
  const isNew = refundStatus === 'succeeded' && !counted.refundIds.has(id) && !counted.failedRefundIds.has(id)
  const isTakenBack = refundStatus === 'failed' && counted.refundIds.has(id)
  if ((!isNew && !isTakenBack) || UNPAID.includes(order.status)) return unchanged(order)
  const refunded = (next: OpenFiatOrder): Settlement => ({
    order: next,
    steps: [{ type: 'payment.refunded', before: order, order: next, refund }],
  })
  const changeCents = isNew ? amountCents : -amountCents
  const reversedCents = order.reversedCents + changeCents
  if (order.status === 'chargeback') return refunded({ ...order, reversedCents, updatedAt: now })
  const refundedCents = order.refundedCents + changeCents
  const isWhole = refundedCents >= maxRefundableCents(order, order.serviceFeePayer)
  const partly = order.status === 'refunded' ? ('paid' as const) : order.status
  const status = isWhole ? ('refunded' as const) : partly
  return refunded({ ...order, refundedCents, reversedCents, status, updatedAt: now })
}

/** The settlement of a succeeded refund. It proves that the order was paid, even if no notice has arrived yet. */
export const settleRefund = (
  order: OpenFiatOrder,
  refund: CardRefund,
  counted: CountedIds,
  now: Date,
): Settlement => {
  const paid = { currency: order.currency, paidCents: order.totalCents }
  const proof = { status: 'completed', processorStatus: 'completed', ...paid } as const
  return inSequence(order, [
    (from) => applyStatus(from, proof, now),
    (from) => countRefund(from, refund, counted, now),
  ])
}

/** Amount of a dispute: what the processor states in the order's currency; otherwise what the order still held (decisions §47). */
export const disputedAmount = (order: OpenFiatOrder, { amountCents, currency }: CardDispute) =>
  amountCents !== null && currency === order.currency
    ? { amountCents, isEstimated: false }
    : {
        amountCents: Math.max(0, order.totalCents - order.refundedCents - order.chargebackCents),
        isEstimated: true,
      }

/** The settlement of a dispute: it reverses the whole order (spec: Fiat order). */
export const settleDispute = (
  order: OpenFiatOrder,
  dispute: CardDispute,
  counted: CountedIds,
  now: Date,
): Settlement => {
  if (counted.disputeIds.has(dispute.disputeId)) return unchanged(order)
  const next: OpenFiatOrder = {
    ...order,
    ...{ status: 'chargeback', chargebackCents: order.totalCents, refundedCents: 0 },
    reversedCents: order.reversedCents + disputedAmount(order, dispute).amountCents,
    updatedAt: now,
  }
  return { order: next, steps: [{ type: 'payment.chargeback', before: order, order: next, dispute }] }
}

/**
 * The settlement of a payment's state at its processor. A repeated or overtaken read changes nothing twice and reverts
 * nothing (spec: Fiat order transitions).
 */
export const settlePayment = (
  order: OpenFiatOrder,
  payment: CardPayment,
  counted: CountedIds,
  now: Date,
): Settlement =>
  inSequence(order, [
    (from) => applyStatus(from, payment, now),
    ...payment.refunds.map(
      (refund): Transition =>
        (from) =>
          countRefund(from, refund, counted, now),
    ),
    ...payment.disputes.map(
      (dispute): Transition =>
        (from) =>
          settleDispute(from, dispute, counted, now),
    ),
  ])

/** The processor's ids of all refunds that an order counts after a settlement. */
export const refundIdsAfter = (counted: CountedIds, { steps }: Settlement): ReadonlySet<string> => {
  const ids = new Set(counted.refundIds)
  for (const step of steps)
    if (step.type === 'payment.refunded') {
      if (step.refund.status === 'failed') ids.delete(step.refund.processorRefundId)
      else ids.add(step.refund.processorRefundId)
    }
  return ids
}
