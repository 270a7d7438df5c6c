import type { Stripe } from 'stripe'

export const PAGE_SIZE = 100
/** Bounds a list that would never end; a payment has far fewer refunds or disputes. */
const MAX_LISTED = 10_000

/** All refunds of a payment. @throws errors of the SDK */
export const refundsOf = (stripe: Stripe, paymentIntentId: string): Promise<Stripe.Refund[]> =>
  stripe.refunds
    .list({ payment_intent: paymentIntentId, limit: PAGE_SIZE })
    .autoPagingToArray({ limit: MAX_LISTED })

export const disputesOf = (stripe: Stripe, paymentIntentId: string): Promise<Stripe.Dispute[]> =>
  stripe.disputes
    .list({ payment_intent: paymentIntentId, limit: PAGE_SIZE })
    .autoPagingToArray({ limit: MAX_LISTED })

/** The checkout of a payment; null for a payment without one, which is not the platform's. */
export const sessionOf = async (stripe: Stripe, paymentIntentId: string): Promise<string | null> => {
  const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 })
  return data[0]?.id ?? null
}
