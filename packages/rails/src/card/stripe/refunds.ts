import type { Stripe } from 'stripe'
import { RailError } from '../../rail-error.ts'
import type { RefundRequest, RefundsQuery } from '../adapter.ts'
import type { CardRefund, CardRefundPage } from '../payment.ts'
import { toStripeAmount } from './amounts.ts'
import { askBeforeEffect, askStripe } from './failures.ts'
import { PAGE_SIZE, refundsOf } from './lists.ts'
import { expanded, idOf, toRefund } from './payments.ts'

/** Longest value of metadata (Stripe: Metadata). */
const MAX_METADATA_CHARACTERS = 500

export const createRefund = async (stripe: Stripe, request: RefundRequest): Promise<CardRefund> => {
  const { processorOrderId, refundId, amountCents, description } = request
  if (request.orderLines !== null) throw new RailError('refused', 'Stripe cannot refund order lines')
  const session = await askBeforeEffect(() => stripe.checkout.sessions.retrieve(processorOrderId))
  const paymentIntentId = idOf(session.payment_intent)
  if (paymentIntentId === null || session.currency === null)
    throw new RailError('refused', 'nothing has been paid')
  const params = {
    payment_intent: paymentIntentId,
    amount: toStripeAmount(amountCents, session.currency.toUpperCase()),
    metadata: {
      refund_id: refundId,
      ...(description !== null && { description: description.slice(0, MAX_METADATA_CHARACTERS) }),
    },
  }
  const made = await askStripe(() => stripe.refunds.create(params, { idempotencyKey: refundId }))
  return toRefund(made, session.metadata?.['order_key'])
}

export const listRefunds = (stripe: Stripe, processorOrderId: string): Promise<readonly CardRefund[]> =>
  askStripe(async () => {
    const session = await stripe.checkout.sessions.retrieve(processorOrderId)
    const paymentIntentId = idOf(session.payment_intent)
    const refunds = paymentIntentId === null ? [] : await refundsOf(stripe, paymentIntentId)
    return refunds.map((refund) => toRefund(refund, session.metadata?.['order_key']))
  })

/** An account may have payments that are not the platform's: their refunds are left out. */
const isOfCheckout = (refund: Stripe.Refund): boolean =>
  expanded(refund.payment_intent)?.metadata['order_key'] !== undefined

export const refundsSince = (
  stripe: Stripe,
  { since, until, cursor }: RefundsQuery,
): Promise<CardRefundPage> =>
  askStripe(async () => {
    const page = await stripe.refunds.list({
      created: {
        gte: Math.floor(since.getTime() / 1_000),
        ...(until !== null && { lt: Math.ceil(until.getTime() / 1_000) }),
      },
      limit: PAGE_SIZE,
      expand: ['data.payment_intent'],
      ...(cursor !== null && { starting_after: cursor }),
    })
    const next = page.has_more ? (page.data.at(-1)?.id ?? null) : null
    return { refunds: page.data.filter(isOfCheckout).map((refund) => toRefund(refund)), next }
  })
