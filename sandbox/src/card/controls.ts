import { isIP } from 'node:net'
import { Currency } from '@causeway/contracts'
import { type Response, Router } from 'express'
import { z } from 'zod'
import { read, SandboxError } from '../http/answers.ts'
import { closed } from '../http/closed.ts'
import { askToCharge } from './authorization.ts'
import { disputeFile } from './dispute-file.ts'
import type { Disputes } from './disputes.ts'
import { GOOD_MANNERS, type Notices } from './notices.ts'
import type { Payments } from './payments.ts'
import type { Posts } from './posts.ts'
import type { Refunds } from './refunds.ts'
import { Cents } from './requests.ts'
import { traitsOf } from './routes.ts'
import type { Payment } from './rows.ts'

/** How long a control call waits for the platform to open the checkout of an order that was just created. */
const CHECKOUT_WAIT_MS = 3_000
const MOST_COPIES = 100
const LONGEST_DELAY_MS = 3_600_000

const Ip = z.string().refine((text) => isIP(text) !== 0)
const PaymentRequest = z.strictObject({
  outcome: z.enum(['processing', 'completed', 'cancelled', 'expired']),
  payer_ip: Ip.optional(),
  payer_email: z.email().optional(),
})
const ChargebackRequest = z.strictObject({
  amount_cents: Cents.nullable().optional(),
  currency: Currency.optional(),
  payer_ip: Ip.optional(),
})
const RefundRequest = z.strictObject({ amount_cents: Cents })
const MannersRequest = z.strictObject({
  copies: z.int().min(0).max(MOST_COPIES).default(GOOD_MANNERS.copies),
  delay_ms: z.int().min(0).max(LONGEST_DELAY_MS).default(GOOD_MANNERS.delayMs),
})
const FileQuery = z.strictObject({ processor: z.string().default('processor_full') })

export type CardParts = Readonly<{
  payments: Payments
  refunds: Refunds
  disputes: Disputes
  notices: Notices
  posts: Posts
}>

const awaitPayment = async (payments: Payments, orderKey: string, response: Response): Promise<Payment> => {
  const gone = closed(response)
  const until = performance.now() + CHECKOUT_WAIT_MS
  for (;;) {
    const payment = payments.byOrderKey(orderKey)
    if (payment) return payment
    const leftMs = until - performance.now()
    if (leftMs <= 0 || gone.aborted)
      throw new SandboxError(
        404,
        'resource_not_found',
        `No checkout is open for order ${orderKey}: no such order, or the platform has not opened it yet.`,
      )
    await payments.added.next(leftMs, gone)
  }
}

/** Card payments, chargebacks and refunds that happen because someone says so (decisions §15). */
export const cardControls = ({ payments, refunds, disputes, notices, posts }: CardParts): Router => {
  const routes = Router()

  /** Asks the platform only about a payer who is named. */
  const mayPay = async (payment: Payment, ip: string | null, email: string | null): Promise<boolean> => {
    if (ip === null && email === null) return true
    const answer = await askToCharge(posts, payment, { ip, email: email ?? payment.payerEmail })
    if (answer === 'unavailable')
      throw new SandboxError(
        502,
        'platform_unavailable',
        'The platform did not say whether this payer may pay.',
      )
    return answer === 'allowed'
  }

  routes.post('/card-payments/:orderKey', async (request, response) => {
    const { outcome, payer_ip: ip = null, payer_email: email = null } = read(PaymentRequest, request.body)
    let payment = await awaitPayment(payments, request.params.orderKey, response)
    const pays = outcome === 'completed' || outcome === 'processing'
    const allowed = !pays || (await mayPay(payment, ip, email))
    if (allowed) payment = payments.setStatus(payments.setPayer(payment, { ip, email }), outcome)
    response.json({
      order_key: payment.orderKey,
      payment_id: payment.paymentId,
      allowed,
      status: payment.status,
      paid_cents: payment.paidCents,
    })
  })

  routes.post('/chargebacks/:orderKey', async (request, response) => {
    const { amount_cents: cents, currency, payer_ip: ip = null } = read(ChargebackRequest, request.body)
    const payment = await awaitPayment(payments, request.params.orderKey, response)
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

  routes.post('/card-refunds/:orderKey', async (request, response) => {
    const { amount_cents: amountCents } = read(RefundRequest, request.body)
    const payment = await awaitPayment(payments, request.params.orderKey, response)
    const refund = refunds.createOutside(payment, amountCents)
    response.json({
      order_key: payment.orderKey,
      refund_id: refund.refundId,
      amount_cents: refund.amountCents,
      currency: refund.currency,
    })
  })

  routes.put('/card-notices', (request, response) => {
    const { copies, delay_ms: delayMs } = read(MannersRequest, request.body)
    notices.setManners({ copies, delayMs })
    response.json({ copies, delay_ms: delayMs })
  })

  routes.get('/dispute-file', (request, response) => {
    const { key } = traitsOf(read(FileQuery, request.query).processor)
    response.type('text/csv').send(disputeFile(disputes.ofProcessor(key)))
  })

  return routes
}
