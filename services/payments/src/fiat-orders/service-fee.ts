/** Who bears the service fee (spec: Fiat order). */
export type ServiceFeePayer = 'customer' | 'merchant'

export type FiatAmounts = Readonly<{ totalCents: number; amountCents: number; serviceFeeCents: number }>

/** The service fee of an order by its price plan: percent of the price, at most 2 decimals, and minor units. */
export type ServiceFee = Readonly<{ percent: number; fixedCents: number }>

const HUNDREDTHS_OF_A_PERCENT = 10_000n

/**
 * Splits a price into what the buyer pays and what the merchant gets, in the currency's minor unit, the fee rounded
 * half up (decisions §10). Payer `customer`: total = price + fee, amount = price. Payer `merchant`: total = price,
 * amount = price - fee.
 * @param step what the processor's amounts are multiples of: the fee is one too, so that all of it can be refunded
 */
export const splitPrice = (
  priceCents: number,
  { percent, fixedCents }: ServiceFee,
  payer: ServiceFeePayer,
  step = 1,
): FiatAmounts => {
  const rate = BigInt(Math.round(percent * 100))
  const divisor = HUNDREDTHS_OF_A_PERCENT * BigInt(step)
  const exact = BigInt(priceCents) * rate + BigInt(fixedCents) * HUNDREDTHS_OF_A_PERCENT
  const fee = Number((exact + divisor / 2n) / divisor) * step
  return payer === 'customer'
    ? { totalCents: priceCents + fee, amountCents: priceCents, serviceFeeCents: fee }
    : { totalCents: priceCents, amountCents: priceCents - fee, serviceFeeCents: fee }
}

/** The most that may be refunded of an order (spec: Refund a fiat order). */
export const maxRefundableCents = (order: FiatAmounts, payer: ServiceFeePayer): number =>
  payer === 'customer' ? order.totalCents : order.amountCents

/**
 * The service fee that the refunds of an order have returned when they sum to `refundedCents`: its share, rounded half up,
 * where the customer paid it on top; nothing where the merchant did (decisions §47).
 */
export const returnedFeeCents = (
  {
    serviceFeePayer,
    totalCents,
    serviceFeeCents,
  }: FiatAmounts & Readonly<{ serviceFeePayer: ServiceFeePayer }>,
  refundedCents: number,
): number => {
  if (serviceFeePayer === 'merchant' || totalCents === 0) return 0
  const total = BigInt(totalCents)
  return Number((2n * BigInt(serviceFeeCents) * BigInt(refundedCents) + total) / (2n * total))
}
