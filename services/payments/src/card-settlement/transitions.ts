import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { maxRefundableCents } from '../fiat-orders/service-fee.ts'

/** One change of a card order; `order` is as it stands after it. */
export type FiatStep =
  | Readonly<{
      type: 'payment.confirmed' | 'payment.cancelled' | 'payment.expired'
      order: OpenFiatOrder
    }>
  | Readonly<{ type: 'payment.refunded'; order: OpenFiatOrder; refund: CardRefund }>
  | Readonly<{ type: 'payment.chargeback'; order: OpenFiatOrder; dispute: CardDispute }>

/** What was told of an order before: each refund and dispute changes it once. */
export type Told = Readonly<{ refundIds: ReadonlySet<string>; disputeIds: ReadonlySet<string> }>

/** How the order stands after everything, and the changes on the way there, oldest first. */
export type Settlement = Readonly<{ order: OpenFiatOrder; steps: readonly FiatStep[] }>

const ENDS = {
  completed: { type: 'payment.confirmed', status: 'paid' },
  cancelled: { type: 'payment.cancelled', status: 'cancelled' },
  expired: { type: 'payment.expired', status: 'expired' },
} as const

const none = (order: OpenFiatOrder): Settlement => ({ order, steps: [] })

/** Only a pending order follows the payment: what has ended never goes back. */
const followPayment = (order: OpenFiatOrder, payment: CardPayment, now: Date): Settlement => {
  if (order.status !== 'pending' || payment.status === 'new') return none(order)
  const processorStatus = payment.processorStatus
  if (payment.status === 'processing') return none({ ...order, processorStatus })
  const { type, status } = ENDS[payment.status]
  const completedAt = status === 'paid' ? now : null
  const next = { ...order, status, processorStatus, updatedAt: now, completedAt }
  return { order: next, steps: [{ type, order: next }] }
}

const UNPAID = ['pending', 'cancelled', 'expired']

/**
 * Each refund of an order that was paid is told once. One that is told after a dispute went through all the same, but
 * its cents are part of what was charged back: never counted as both (spec: Fiat order).
 */
const followRefund = (order: OpenFiatOrder, refund: CardRefund, told: Told, now: Date): Settlement => {
  const isNews = refund.status === 'succeeded' && !told.refundIds.has(refund.processorRefundId)
  if (!isNews || UNPAID.includes(order.status)) return none(order)
  const tell = (next: OpenFiatOrder): Settlement => ({
    order: next,
    steps: [{ type: 'payment.refunded', order: next, refund }],
  })
  if (order.status === 'chargeback') return tell({ ...order, updatedAt: now })
  const refundedCents = order.refundedCents + refund.amountCents
  const isWhole = refundedCents >= maxRefundableCents(order, order.serviceFeePayer)
  const status = isWhole ? ('refunded' as const) : order.status
  return tell({ ...order, refundedCents, status, updatedAt: now })
}

/** A dispute reverses the whole order (spec: Fiat order). */
export const followDispute = (
  order: OpenFiatOrder,
  dispute: CardDispute,
  told: Told,
  now: Date,
): Settlement => {
  if (told.disputeIds.has(dispute.disputeId)) return none(order)
  const reversed = { chargebackCents: order.totalCents, refundedCents: 0 }
  const next = { ...order, ...reversed, status: 'chargeback' as const, updatedAt: now }
  return { order: next, steps: [{ type: 'payment.chargeback', order: next, dispute }] }
}

/**
 * What a payment, as its processor tells it now, makes of an order. Told again, or told in an order of its own, it
 * changes nothing twice and takes nothing back (spec: Fiat order transitions).
 */
export const settleFiatOrder = (
  order: OpenFiatOrder,
  payment: CardPayment,
  told: Told,
  now: Date,
): Settlement => {
  const changes = [
    (from: OpenFiatOrder) => followPayment(from, payment, now),
    ...payment.refunds.map((refund) => (from: OpenFiatOrder) => followRefund(from, refund, told, now)),
    ...payment.disputes.map((dispute) => (from: OpenFiatOrder) => followDispute(from, dispute, told, now)),
  ]
  return changes.reduce<Settlement>((before, change) => {
    const after = change(before.order)
    return { order: after.order, steps: [...before.steps, ...after.steps] }
  }, none(order))
}

/** The processor's refunds that an order has told of after a settlement. */
export const refundIdsAfter = (told: Told, { steps }: Settlement): ReadonlySet<string> =>
  new Set([
    ...told.refundIds,
    ...steps.flatMap((step) => (step.type === 'payment.refunded' ? [step.refund.processorRefundId] : [])),
  ])
