import { refuse } from '@causeway/chassis'
import type { RefundableOrder } from '@causeway/contracts'
import type { CardPayment, CardTraits } from '@causeway/rails'
import type { Ceiling } from './ceiling.ts'

/** What is asked for. */
export type RequestedRefund = Readonly<{ amountCents: number; hasOrderLines: boolean }>

/**
 * Why the order may not be refunded at all, or null. The four cases of 404 look alike (spec: Refund a fiat order):
 * no order, another partner's and a merchant's that is not onboarded are all null here, and no grant is added.
 */
export const refuseInvisible = (order: RefundableOrder | null) => {
  if (!order?.capability.enabled) return refuse('resource_not_found')
  const { available, reason } = order.capability
  return available ? null : refuse('capability_unavailable', [{ reason }])
}

/** Why the processor takes no such request, or null. */
export const refuseUnsupported = (wish: RequestedRefund, traits: Pick<CardTraits, 'orderLines'>) =>
  wish.hasOrderLines && !traits.orderLines
    ? refuse('invalid_request', [{ field: 'order_lines', reason: 'invalid_value' }])
    : null

/** Why an order in this state cannot be refunded, or null. */
export const refuseState = (order: Pick<RefundableOrder, 'kind' | 'status'>) => {
  if (order.kind !== 'order') return refuse('not_refundable')
  return order.status === 'paid' || order.status === 'completed' ? null : refuse('order_not_paid')
}

/** Why there is nothing at the processor that could be refunded, or null. */
export const refuseUnpaid = (payment: Pick<CardPayment, 'paidCents'>) =>
  payment.paidCents === 0 ? refuse('not_refundable') : null

/**
 * Why the amount cannot be refunded, or null. A processor of full values answers every other amount, one above the
 * remainder too, with the one that it takes.
 */
export const refuseAmount = (
  wish: RequestedRefund,
  { remainingCents }: Ceiling,
  traits: Pick<CardTraits, 'partialRefunds'>,
) => {
  if (remainingCents === 0) return refuse('nothing_to_refund')
  const details = [{ remaining_refundable_cents: remainingCents }]
  if (!traits.partialRefunds && wish.amountCents !== remainingCents)
    return refuse('refund_full_value_only', details)
  return wish.amountCents > remainingCents ? refuse('amount_exceeds_remaining', details) : null
}
