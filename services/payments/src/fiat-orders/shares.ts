import type { ErrorDetail } from '@causeway/contracts'
import {
  maxRefundableCents,
  returnedFeeCents,
  type FiatAmounts,
  type ServiceFeePayer,
} from './service-fee.ts'

/** A relationship's share of a card order, in the currency's minor unit. */
export type Split = Readonly<{ partner_customer_id: string; amount_cents: number }>

/** Amounts that the partner and the receivers of splits take from the merchant's amount. */
export type Shares = Readonly<{ partnerFeeCents: number; splits: readonly Split[] }>
type SharedOrder = FiatAmounts & Shares & Readonly<{ serviceFeePayer: ServiceFeePayer }>

export const splitCents = ({ splits }: Pick<Shares, 'splits'>): number =>
  splits.reduce((sum, { amount_cents: cents }) => sum + cents, 0)

/** The largest partner fee of a price, rounded down: the fee never exceeds the percentage. */
const maxPartnerFeeCents = (priceCents: number, maxPercent: number): number =>
  Number((BigInt(priceCents) * BigInt(Math.round(maxPercent * 100))) / 10_000n)

/**
 * Returns the detail of a refusal, or null: a partner fee above the plan's maximum, or shares that exceed the merchant's
 * amount together (decisions §52).
 */
export const faultOfShares = (
  shares: Shares,
  {
    priceCents,
    amountCents,
    maxPercent,
  }: Readonly<{ priceCents: number; amountCents: number; maxPercent: number }>,
): ErrorDetail | null => {
  const tooBig = (field: string, limit: number) => ({
    field,
    reason: 'too_big',
    expected: `at most ${limit}`,
  })
  const maxCents = Math.min(maxPartnerFeeCents(priceCents, maxPercent), amountCents)
  if (shares.partnerFeeCents > maxCents) return tooBig('partner_fee_cents', maxCents)
  const leftCents = amountCents - shares.partnerFeeCents
  return splitCents(shares) > leftCents ? tooBig('splits', leftCents) : null
}

const roundedPart = (share: number, left: number, whole: number): number => {
  if (whole === 0) return 0
  const divisor = BigInt(whole)
  return Number((2n * BigInt(share) * BigInt(left) + divisor) / (2n * divisor))
}

/**
 * Returns what each share has given back when refunds and disputes have taken back `reversedCents` (decisions §52). Of what
 * the returned service fee leaves, the partner first, then each receiver in the order of the splits, gives back its part of
 * what those before it leave, rounded half up; the merchant gives back the rest. So the parts add up exactly, none exceeds
 * its share, and none decreases as `reversedCents` grows. Beyond the most that may be refunded nothing more is given back.
 */
const returnedShares = (order: SharedOrder, reversedCents: number): Shares => {
  const reversed = Math.min(reversedCents, maxRefundableCents(order, order.serviceFeePayer))
  let left = reversed - returnedFeeCents(order, reversed)
  let whole = order.amountCents
  const giveBack = (share: number): number => {
    const part = roundedPart(share, left, whole)
    left -= part
    whole -= share
    return part
  }
  return {
    partnerFeeCents: giveBack(order.partnerFeeCents),
    splits: order.splits.map(({ partner_customer_id, amount_cents }) => ({
      partner_customer_id,
      amount_cents: giveBack(amount_cents),
    })),
  }
}

/**
 * Returns the shares that a refund or a dispute gives back, which has taken what is reversed of the order from one sum to the
 * other. With a smaller second sum: the shares that are taken again, because a refund failed or a dispute was won.
 */
export const sharesBetween = (order: SharedOrder, fromCents: number, toCents: number): Shares => {
  const [from, to] = [returnedShares(order, fromCents), returnedShares(order, toCents)]
  return {
    partnerFeeCents: Math.abs(to.partnerFeeCents - from.partnerFeeCents),
    splits: to.splits
      .map((split, place) => ({
        ...split,
        amount_cents: Math.abs(split.amount_cents - (from.splits[place]?.amount_cents ?? 0)),
      }))
      .filter(({ amount_cents: cents }) => cents > 0),
  }
}
