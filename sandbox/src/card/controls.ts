import { isIP } from 'node:net'
import { Currency } from '@causeway/contracts'
import { type Response, Router } from 'express'
import { z } from 'zod'
import { parseRequest, SandboxError } from '../http/answers.ts'
import { abortOnClose } from '../http/abort-on-close.ts'
import { requestAuthorization } from './authorization.ts'
import { type Disputes, DISPUTE_FEE } from './disputes.ts'
import { DEFAULT_DELIVERY, type Notices } from './notices.ts'
import type { Payments } from './payments.ts'
import type { CallbackClient } from '../http/callback-client.ts'
import type { Refunds } from './refunds.ts'
import { Cents } from './requests.ts'
import { traitsOf } from './routes.ts'
import type { Payment, Dispute } from './rows.ts'

/** decisions §10. An empty cell: the processor states no value. */
const HEADER = 'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency'

/** The periodic file of a processor that sends no dispute notices: all its disputes, oldest first. */
const disputeFile = (disputes: readonly Dispute[]): string => {
  const lines = disputes.map((dispute) =>
    [
      dispute.disputeId,
      dispute.orderKey,
      new Date(dispute.openedAtMs).toISOString(),
      dispute.amountCents ?? '',
      dispute.currency ?? '',
      DISPUTE_FEE.cents,
      DISPUTE_FEE.currency,
    ].join(','),
  )
  return [HEADER, ...lines, ''].join('\r\n')
}

const MAX_COPIES = 100
const MAX_DELAY_MS = 3_600_000

const Ip = z.string().refine((text) => isIP(text) !== 0)
const PaymentRequest = z.strictObject({
  outcome: z.enum(['processing', 'completed', 'cancelled', 'expired']),
  /** Amount captured at completion. Default: the amount of the order. */
  captured_cents: Cents.optional(),
  captured_currency: Currency.optional(),
  payer_ip: Ip.optional(),
  payer_email: z.email().optional(),
})
const ChargebackRequest = z.strictObject({
  amount_cents: Cents.nullable().optional(),
  currency: Currency.optional(),
  payer_ip: Ip.optional(),
})
const RefundRequest = z.strictObject({ amount_cents: Cents })
const FailureRequest = z.strictObject({ refund_id: z.string() })
const DeliveryRequest = z.strictObject({
  copies: z.int().min(0).max(MAX_COPIES).default(DEFAULT_DELIVERY.copies),
  delay_ms: z.int().min(0).max(MAX_DELAY_MS).default(DEFAULT_DELIVERY.delayMs),
})
const FileQuery = z.strictObject({ processor: z.string().default('processor_full') })

export type CardDependencies = Readonly<{
  payments: Payments
  refunds: Refunds
  disputes: Disputes
  notices: Notices
  callbacks: CallbackClient
  /** How long a call waits for the platform to open the checkout of its order. */
  platformWaitMs: number
}>

const awaitPayment = async (
  { payments, platformWaitMs }: Pick<CardDependencies, 'payments' | 'platformWaitMs'>,
  orderKey: string,
  response: Response,
): Promise<Payment> => {
  const closed = abortOnClose(response)
  const until = performance.now() + platformWaitMs
  for (;;) {
    const payment = payments.byOrderKey(orderKey)
    if (payment) return payment
    const leftMs = until - performance.now()
    if (leftMs <= 0 || closed.aborted)
      throw new SandboxError(
        404,
        'resource_not_found',
        `No checkout is open for order ${orderKey}: no such order, or the platform has not opened it yet.`,
      )
    await payments.added.next(leftMs, closed)
  }
}

/** Requests authorization only when the control call names a payer. */
const createMayPay =
  (callbacks: CallbackClient) =>
  async (payment: Payment, ip: string | null, email: string | null): Promise<boolean> => {
    if (ip === null && email === null) return true
    const answer = await requestAuthorization(callbacks, payment, { ip, email: email ?? payment.payerEmail })
    if (answer === 'unavailable')
      throw new SandboxError(
        502,
        'platform_unavailable',
        'The platform did not answer whether this payer is allowed to pay.',
      )
    return answer === 'allowed'
  }

/** Refunds made outside the platform, and refunds that fail after they were made. */
const refundControls = (routes: Router, dependencies: CardDependencies): void => {
  const { refunds } = dependencies
  routes.post('/card-refunds/:orderKey', async (request, response) => {
    const { amount_cents: amountCents } = parseRequest(RefundRequest, request.body)
    const payment = await awaitPayment(dependencies, request.params.orderKey, response)
    const refund = refunds.createExternal(payment, amountCents)
    response.json({
      order_key: payment.orderKey,
      refund_id: refund.refundId,
      amount_cents: refund.amountCents,
      currency: refund.currency,
    })
  })

  routes.post('/card-refunds/:orderKey/failure', async (request, response) => {
    const { refund_id: refundId } = parseRequest(FailureRequest, request.body)
    const payment = await awaitPayment(dependencies, request.params.orderKey, response)
    const { status } = refunds.fail(payment, refundId)
    response.json({ order_key: payment.orderKey, refund_id: refundId, status })
  })
}

/** Control endpoints that cause card payments, chargebacks and refunds (decisions §15). */
export const cardControls = (dependencies: CardDependencies): Router => {
  const { payments, disputes, notices } = dependencies
  const mayPay = createMayPay(dependencies.callbacks)
  const routes = Router()

  routes.post('/card-payments/:orderKey', async (request, response) => {
    const {
      outcome,
      captured_cents: cents,
      captured_currency: currency,
      payer_ip: ip = null,
      payer_email: email = null,
    } = parseRequest(PaymentRequest, request.body)
    let payment = await awaitPayment(dependencies, request.params.orderKey, response)
    const pays = outcome === 'completed' || outcome === 'processing'
    const allowed = !pays || (await mayPay(payment, ip, email))
    if (allowed)
      payment = payments.setStatus(payments.setPayer(payment, { ip, email }), outcome, { cents, currency })
    response.json({
      order_key: payment.orderKey,
      payment_id: payment.paymentId,
      allowed,
      status: payment.status,
      paid_cents: payment.paidCents,
    })
  })

  routes.post('/chargebacks/:orderKey', async (request, response) => {
    const {
      amount_cents: cents,
      currency,
      payer_ip: ip = null,
    } = parseRequest(ChargebackRequest, request.body)
    const payment = await awaitPayment(dependencies, request.params.orderKey, response)
    const dispute = disputes.open(
      traitsOf(payment.processor),
      payments.setPayer(payment, { ip, email: null }),
      {
        cents,
        currency,
      },
    )
    response.json({
      order_key: payment.orderKey,
      dispute_id: dispute.disputeId,
      amount_cents: dispute.amountCents,
      currency: dispute.currency,
      opened_at: new Date(dispute.openedAtMs).toISOString(),
    })
  })

  refundControls(routes, dependencies)
  routes.put('/card-notices', (request, response) => {
    const { copies, delay_ms: delayMs } = parseRequest(DeliveryRequest, request.body)
    notices.setDelivery({ copies, delayMs })
    response.json({ copies, delay_ms: delayMs })
  })

  routes.get('/dispute-file', (request, response) => {
    const { key } = traitsOf(parseRequest(FileQuery, request.query).processor)
    response.type('text/csv').send(disputeFile(disputes.ofProcessor(key)))
  })

  return routes
}
