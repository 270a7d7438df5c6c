import { Stripe } from 'stripe'
import type { CardProcessor } from '../../src/cards.ts'
import { createStripeProcessor, type StripeOptions } from '../../src/card/stripe/adapter.ts'
import type { CardFixture, Notice } from '../card-fixture.ts'
import { createAccount } from './account.ts'
import type { Fields } from './form.ts'
import type { Dispute, Session } from './objects.ts'
import { createStripeServer } from './server.ts'

const SECRET_KEY = 'sk_test_of_nobody'
const WEBHOOK_SECRET = 'whsec_of_nobody'
/** Never met, however slow the machine is. */
const PATIENT_MS = 120_000
const IMPATIENT_MS = 1_000

/** Signs with the SDK's own tool, as Stripe does. */
const sign = (payload: string): Notice => {
  const header = new Stripe(SECRET_KEY).webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET })
  return { headers: { 'stripe-signature': header }, body: Buffer.from(payload) }
}

/** The Stripe adapter against a local server that behaves as Stripe's documentation says. */
export const startStripeFixture = async () => {
  let aheadSeconds = 0
  const account = createAccount(() => Math.floor(Date.now() / 1_000) + aheadSeconds)
  const server = createStripeServer(account, SECRET_KEY)
  await server.open()
  const options: StripeOptions = {
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    apiUrl: server.url(),
    timeoutMs: PATIENT_MS,
    connections: 8,
  }
  const processor: CardProcessor = createStripeProcessor(options)
  const impatient = createStripeProcessor({ ...options, timeoutMs: IMPATIENT_MS })
  const notices: Notice[] = []
  let events = 0

  const emit = (type: string, object: unknown): void => {
    events += 1
    notices.push(
      sign(JSON.stringify({ id: `evt_${events}`, object: 'event', type, created: 1, data: { object } })),
    )
  }
  const sessionOf = (orderKey: string): Session => account.byOrderKey(orderKey)
  const intentOf = (orderKey: string) => account.intentOf(sessionOf(orderKey).payment_intent)

  const pay: CardFixture['pay'] = (orderKey, outcome) => {
    const session = sessionOf(orderKey)
    if (outcome === 'expired') {
      session.status = 'expired'
      emit('checkout.session.expired', session)
    } else if (outcome === 'cancelled') {
      account.pay(session, 'processing')
      intentOf(orderKey).status = 'requires_payment_method'
      emit('checkout.session.async_payment_failed', session)
    } else {
      account.pay(session, outcome === 'completed' ? 'succeeded' : 'processing')
      emit('checkout.session.completed', session)
    }
    return Promise.resolve()
  }

  return {
    processor,
    impatient,
    options,
    balance: account.balance,
    /** Moves Stripe's clock forward. */
    advance: (seconds: number) => {
      aheadSeconds += seconds
    },
    server,
    calls: server.calls,
    noticeUrl: 'https://pay.example/api/callbacks/cards/stripe',
    pay,
    refundOutside: (orderKey: string, amountCents: number) => {
      emit('refund.created', account.addRefund(intentOf(orderKey), amountCents, {}, 'succeeded'))
      return Promise.resolve()
    },
    dispute: (orderKey: string) => {
      emit('charge.dispute.created', account.dispute(intentOf(orderKey)))
      return Promise.resolve()
    },
    addRefund: (orderKey: string, amount: number, status: string) =>
      account.addRefund(intentOf(orderKey), amount, {}, status),
    /** As if no checkout of ours had made the payment. */
    disown: (orderKey: string) => {
      intentOf(orderKey).metadata = {}
    },
    addDispute: (orderKey: string, change: Partial<Dispute>) => account.dispute(intentOf(orderKey), change),
    lastForm: (): Fields => account.lastSessionForm(),
    fault: server.setFault,
    notices: () => notices,
    sign,
    stop: async () => {
      await processor.close()
      await impatient.close()
      await server.close()
    },
  } satisfies CardFixture & Record<string, unknown>
}

export type StripeFixture = Awaited<ReturnType<typeof startStripeFixture>>
