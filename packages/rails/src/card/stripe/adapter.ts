import { Stripe } from 'stripe'
import { createHttpExchange } from '../../http/exchange.ts'
import { RailError } from '../../rail-error.ts'
import type { CardProcessor, CardTraits, CheckoutRequest } from '../adapter.ts'
import { stripeStep, toStripeAmount } from './amounts.ts'
import { askStripe } from './failures.ts'
import { disputesOf, refundsOf, sessionOf } from './lists.ts'
import { readEvent, subjectOf } from './notices.ts'
import { idOf, toPayment } from './payments.ts'
import { createRefund, listRefunds, refundsSince } from './refunds.ts'
import { createStripeTransport } from './transport.ts'

/** @throws RailError `refused` for an amount that Stripe cannot charge */
const toSession = (request: CheckoutRequest): Stripe.Checkout.SessionCreateParams => {
  const metadata = { order_id: request.orderId, order_key: request.orderKey, kind: request.kind }
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'],
    client_reference_id: request.orderId,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: request.currency.toLowerCase(),
          unit_amount: toStripeAmount(request.totalCents, request.currency),
          product_data: { name: request.description },
        },
      },
    ],
    metadata,
    // Refunds and disputes point to the payment, not to the checkout.
    payment_intent_data: { metadata, description: request.description },
    success_url: request.returnUrl,
    cancel_url: request.failureUrl ?? request.returnUrl,
    ...(request.payerEmail !== null && { customer_email: request.payerEmail }),
  }
}

export type StripeOptions = Readonly<{
  /** `sk_…` or a restricted key with checkout, refunds and disputes. */
  secretKey: string
  /** `whsec_…` of the endpoint that posts to `/api/callbacks/cards/stripe`; null in a service that takes no notices. */
  webhookSecret: string | null
  /** Stripe's own when null; a local server in tests. */
  apiUrl: string | null
  /** Absolute bound of a call. */
  timeoutMs: number
  /** Most connections to Stripe. */
  connections: number
}>

export const STRIPE_TRAITS: CardTraits = {
  key: 'stripe',
  pspLabel: 'Stripe',
  projectId: null,
  partialRefunds: true,
  orderLines: false,
  disputeNotices: 'notices',
  disputeAmounts: true,
  asksBeforeCharge: false,
  currencies: null,
  amountStep: stripeStep,
}

const MAX_ANSWER_BYTES = 4_194_304

type ConnectionOptions = Pick<StripeOptions, 'secretKey' | 'apiUrl' | 'timeoutMs' | 'connections'>

/** Opens a client of the SDK with the platform's bounds. */
export const openStripe = (options: ConnectionOptions) => {
  const { apiUrl, timeoutMs, connections } = options
  const http = createHttpExchange({ timeoutMs, connections, maxBodyBytes: MAX_ANSWER_BYTES })
  const api = apiUrl === null ? null : new URL(apiUrl)
  const stripe = new Stripe(options.secretKey, {
    httpClient: createStripeTransport(http),
    maxNetworkRetries: 0,
    telemetry: false,
    ...(api && {
      host: api.hostname,
      port: api.port,
      protocol: api.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  })
  return { stripe, close: () => http.close() }
}

/** Stripe through its own SDK: Checkout Sessions, refunds, disputes, signed webhooks. */
export const createStripeProcessor = (options: StripeOptions): CardProcessor => {
  const { stripe, close } = openStripe(options)

  return {
    traits: STRIPE_TRAITS,
    createCheckout: async (request) => {
      const session = await askStripe(() =>
        stripe.checkout.sessions.create(toSession(request), { idempotencyKey: request.orderId }),
      )
      if (session.url === null) throw new RailError('malformed', 'a checkout without a URL')
      return { processorOrderId: session.id, orderUrl: session.url }
    },
    readPayment: (processorOrderId) =>
      askStripe(async () => {
        const session = await stripe.checkout.sessions.retrieve(processorOrderId, {
          expand: ['payment_intent'],
        })
        const paymentIntentId = idOf(session.payment_intent)
        if (paymentIntentId === null) return toPayment(session, [], [])
        const [refunds, disputes] = await Promise.all([
          refundsOf(stripe, paymentIntentId),
          disputesOf(stripe, paymentIntentId),
        ])
        return toPayment(session, refunds, disputes)
      }),
    refund: (request) => createRefund(stripe, request),
    listRefunds: (processorOrderId) => listRefunds(stripe, processorOrderId),
    refundsSince: (query) => refundsSince(stripe, query),
    verifyNotice: async (headers, body, now) => {
      if (options.webhookSecret === null) return { ok: false, reason: 'bad_signature' }
      const event = readEvent(stripe, options.webhookSecret, { headers, body, now })
      if (typeof event === 'string') return { ok: false, reason: event }
      const subject = subjectOf(event)
      if (subject === null) return { ok: true, notice: null }
      const processorOrderId =
        'sessionId' in subject
          ? subject.sessionId
          : await askStripe(() => sessionOf(stripe, subject.paymentIntentId))
      if (processorOrderId === null) return { ok: true, notice: null }
      const { kind } = subject
      return { ok: true, notice: { noticeId: event.id, processorOrderId, kind, event: event.type } }
    },
    verifyAuthorization: () => ({ ok: false, reason: 'malformed' }),
    close,
  }
}
