import type { Stripe } from 'stripe'

export const PAGE_SIZE = 100
/** A payment has far fewer of either: a bound, so that a list that never ends does. */
const MAX_LISTED = 10_000

/** All refunds of a payment; what they throw is the SDK's. */
export const refundsOf = (stripe: Stripe, paymentIntentId: string): Promise<Stripe.Refund[]> =>
  stripe.refunds
    .list({ payment_intent: paymentIntentId, limit: PAGE_SIZE })
    .autoPagingToArray({ limit: MAX_LISTED })

export const disputesOf = (stripe: Stripe, paymentIntentId: string): Promise<Stripe.Dispute[]> =>
  stripe.disputes
    .list({ payment_intent: paymentIntentId, limit: PAGE_SIZE })
    .autoPagingToArray({ limit: MAX_LISTED })

/** The checkout that made a payment; null for a payment that no checkout made: it is none of the platform's. */
export const sessionOf = async (stripe: Stripe, paymentIntentId: string): Promise<string | null> => {
  const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 })
  return data[0]?.id ?? null
}
