import { refuse } from '@causeway/chassis'
import type { ErrorDetail, RefundableOrder } from '@causeway/contracts'
import type { CardPayment, CardTraits } from '@causeway/rails/cards'

/** How much of an order was refunded and may still be, in the currency's minor unit. */
export type Ceiling = Readonly<{ maxCents: number; refundedCents: number; remainingCents: number }>

/**
 * The ceiling of an order's refunds (spec: Refund a fiat order).
 * @param refundedCents what the processor says was refunded, refunds made elsewhere and pending ones included
 */
export const ceilingOf = (
  order: Pick<RefundableOrder, 'service_fee_payer' | 'total_cents' | 'amount_cents'>,
  refundedCents: number,
): Ceiling => {
  const maxCents = order.service_fee_payer === 'customer' ? order.total_cents : order.amount_cents
  return { maxCents, refundedCents, remainingCents: Math.max(maxCents - refundedCents, 0) }
}

/** The part of a refund request that the preconditions look at. */
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
export const refuseUnsupported = (
  requested: RequestedRefund,
  { currency }: Pick<RefundableOrder, 'currency'>,
  traits: Pick<CardTraits, 'orderLines' | 'amountStep'>,
) => {
  const details: ErrorDetail[] = []
  if (requested.hasOrderLines && !traits.orderLines)
    details.push({
      field: 'order_lines',
      reason: 'invalid_value',
      expected: 'none: the processor of this order refunds no single lines',
    })
  const step = traits.amountStep(currency)
  if (requested.amountCents % step !== 0)
    details.push({ field: 'amount_cents', reason: 'invalid_value', expected: `a multiple of ${step}` })
  return details.length === 0 ? null : refuse('invalid_request', details)
}

/** Why an order in this state cannot be refunded, or null. */
export const refuseState = (order: Pick<RefundableOrder, 'kind' | 'status'>) => {
  if (order.kind !== 'order') return refuse('not_refundable')
  return order.status === 'paid' || order.status === 'completed' ? null : refuse('order_not_paid')
}

/** Why there is nothing at the processor that could be refunded, or null. */
export const refuseUnpaid = (payment: Pick<CardPayment, 'paidCents'>) =>
  payment.paidCents === 0 ? refuse('not_refundable') : null

/**
 * Why the amount cannot be refunded, or null. A processor without partial refunds takes the remainder alone, and every
 * other amount, a larger one too, is answered with it.
 */
export const refuseAmount = (
  requested: RequestedRefund,
  { remainingCents }: Ceiling,
  traits: Pick<CardTraits, 'partialRefunds'>,
) => {
  if (remainingCents === 0) return refuse('nothing_to_refund')
  const details = [{ remaining_refundable_cents: remainingCents }]
  if (!traits.partialRefunds && requested.amountCents !== remainingCents)
    return refuse('refund_full_value_only', details)
  return requested.amountCents > remainingCents ? refuse('amount_exceeds_remaining', details) : null
}
