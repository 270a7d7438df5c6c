import type { CardTraits } from '@causeway/rails/cards'
import { SANDBOX_CARD_TRAITS } from '@causeway/rails/sandbox'
import { type Request, Router } from 'express'
import { z } from 'zod'
import { parseRequest, SandboxError } from '../http/answers.ts'
import { DISPUTE_FEE, type Disputes } from './disputes.ts'
import type { Payments } from './payments.ts'
import type { Refunds } from './refunds.ts'
import { CheckoutBody, IdempotencyKey, LinesQuery, PageQuery, RefundBody } from './requests.ts'
import type { Payment, Refund } from './rows.ts'
import type { SettledLine, Settlements } from './settlements.ts'

const PAGE_SIZE = 100
/** Refunds shown with a payment; the paged list of refunds has all. */
const MAX_REFUNDS = 1_000

/** @throws SandboxError 404 for a processor that the sandbox does not have */
export const traitsOf = (processor: string): CardTraits => {
  const traits = SANDBOX_CARD_TRAITS.find(({ key }) => key === processor)
  if (!traits) throw new SandboxError(404, 'resource_not_found', 'The sandbox does not have this processor.')
  return traits
}

const presentRefund = (refund: Refund) => ({
  refund_id: refund.refundId,
  merchant_refund_id: refund.idempotencyKey,
  order_key: refund.orderKey,
  amount_cents: refund.amountCents,
  currency: refund.currency,
  status: refund.status,
  created_at: new Date(refund.createdAtMs).toISOString(),
})

const presentPage = (refunds: readonly Refund[]) => ({
  refunds: refunds.slice(0, PAGE_SIZE).map(presentRefund),
  next: refunds.length > PAGE_SIZE ? String(refunds[PAGE_SIZE - 1]?.seq) : null,
})

const presentLine = (line: SettledLine) => ({
  line_id: line.lineId,
  kind: line.kind,
  payment_id: line.processorOrderId,
  gross_cents: line.grossCents,
  fee_cents: line.feeCents,
  net_cents: line.netCents,
  currency: line.currency,
  original: line.original,
  available_on: line.availableOn,
  payout_ref: line.payoutRef,
})

const presentDisputes = (disputes: Disputes, payment: Payment) =>
  traitsOf(payment.processor).disputeNotices === 'file'
    ? []
    : disputes.ofPayment(payment).map((dispute) => ({
        dispute_id: dispute.disputeId,
        opened_at: new Date(dispute.openedAtMs).toISOString(),
        amount_cents: dispute.amountCents,
        currency: dispute.currency,
        fee_cents: DISPUTE_FEE.cents,
        fee_currency: DISPUTE_FEE.currency,
        reason: 'fraudulent',
      }))

const keyOf = (request: Request): string =>
  parseRequest(z.object({ 'idempotency-key': IdempotencyKey }), request.headers)['idempotency-key']

/**
 * The API of the card processors, as the platform's adapters use it, below `/cards/{processor}`.
 * @param pageUrlOf the payment's hosted page
 */
export const cardRoutes = (parts: {
  payments: Payments
  refunds: Refunds
  disputes: Disputes
  settlements: Settlements
  pageUrlOf: (payment: Payment) => string
}): Router => {
  const { payments, refunds, disputes, settlements, pageUrlOf } = parts
  const routes = Router()

  const find = (processor: string, paymentId: string): Payment => {
    const payment = payments.byId(paymentId)
    if (payment?.processor !== processor)
      throw new SandboxError(404, 'resource_not_found', 'The processor does not have this payment.')
    return payment
  }

  routes.post('/:processor/payments', (request, response) => {
    const { key } = traitsOf(request.params.processor)
    const payment = payments.create(key, keyOf(request), parseRequest(CheckoutBody, request.body))
    response.status(201).json({ payment_id: payment.paymentId, order_url: pageUrlOf(payment) })
  })

  routes.get('/:processor/payments/:paymentId', (request, response) => {
    const payment = find(request.params.processor, request.params.paymentId)
    response.json({
      payment_id: payment.paymentId,
      order_key: payment.orderKey,
      status: payment.status,
      currency: payment.currency,
      total_cents: payment.totalCents,
      paid_cents: payment.paidCents,
      refunds: refunds.ofPayment(payment, 0, MAX_REFUNDS).map(presentRefund),
      disputes: presentDisputes(disputes, payment),
      payer: { ip: payment.payerIp, email: payment.payerEmail },
    })
  })

  routes.post('/:processor/payments/:paymentId/refunds', (request, response) => {
    const payment = find(request.params.processor, request.params.paymentId)
    const body = parseRequest(RefundBody, request.body)
    const refund = refunds.create(traitsOf(payment.processor), payment, keyOf(request), body)
    response.status(201).json(presentRefund(refund))
  })

  routes.get('/:processor/payments/:paymentId/refunds', (request, response) => {
    const payment = find(request.params.processor, request.params.paymentId)
    const { cursor = '0' } = parseRequest(PageQuery, request.query)
    response.json(presentPage(refunds.ofPayment(payment, Number(cursor), PAGE_SIZE + 1)))
  })

  routes.get('/:processor/refunds', (request, response) => {
    const { key } = traitsOf(request.params.processor)
    const { since, until, cursor = '0' } = parseRequest(PageQuery, request.query)
    const sinceMs = since === undefined ? 0 : Date.parse(since)
    const untilMs = until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until)
    response.json(presentPage(refunds.between(key, [sinceMs, untilMs], Number(cursor), PAGE_SIZE + 1)))
  })

  routes.get('/:processor/settlement-lines', (request, response) => {
    const { key } = traitsOf(request.params.processor)
    const { after = '0' } = parseRequest(LinesQuery, request.query)
    const found = settlements.page(key, Number(after), PAGE_SIZE + 1)
    const lines = found.slice(0, PAGE_SIZE)
    const position = String(lines.at(-1)?.seq ?? after)
    response.json({ lines: lines.map(presentLine), position, is_last: found.length <= PAGE_SIZE })
  })

  return routes
}
