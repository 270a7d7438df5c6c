import type { RefundableOrder } from '@causeway/contracts'

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
