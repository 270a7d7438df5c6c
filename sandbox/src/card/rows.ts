import { CARD_PAYMENT_STATUSES, CARD_REFUND_STATUSES } from '@causeway/rails/cards'
import { z } from 'zod'

export const PaymentRow = z.object({
  paymentId: z.string(),
  processor: z.string(),
  request: z.string(),
  pageToken: z.string(),
  orderKey: z.string(),
  totalCents: z.number(),
  refundableCents: z.number(),
  currency: z.string(),
  merchantName: z.string(),
  description: z.string(),
  returnUrl: z.string().nullable(),
  failureUrl: z.string().nullable(),
  noticeUrl: z.string(),
  status: z.enum(CARD_PAYMENT_STATUSES),
  paidCents: z.number(),
  payerIp: z.string().nullable(),
  payerEmail: z.string().nullable(),
  challengesLeft: z.number(),
})
export type Payment = z.infer<typeof PaymentRow>

export const PAYMENT_COLUMNS = `payment_id AS paymentId, processor, request, page_token AS pageToken,
  order_key AS orderKey, total_cents AS totalCents, refundable_cents AS refundableCents, currency,
  merchant_name AS merchantName, description, return_url AS returnUrl, failure_url AS failureUrl,
  notice_url AS noticeUrl, status, paid_cents AS paidCents, payer_ip AS payerIp, payer_email AS payerEmail,
  challenges_left AS challengesLeft`

export const RefundRow = z.object({
  seq: z.number(),
  refundId: z.string(),
  idempotencyKey: z.string().nullable(),
  request: z.string().nullable(),
  amountCents: z.number(),
  status: z.enum(CARD_REFUND_STATUSES),
  createdAtMs: z.number(),
  orderKey: z.string(),
  currency: z.string(),
})
export type Refund = z.infer<typeof RefundRow>

export const REFUND_COLUMNS = `r.seq, r.refund_id AS refundId, r.idempotency_key AS idempotencyKey, r.request,
  r.amount_cents AS amountCents, r.status, r.created_at_ms AS createdAtMs, p.order_key AS orderKey, p.currency`

export const DisputeRow = z.object({
  disputeId: z.string(),
  orderKey: z.string(),
  amountCents: z.number().nullable(),
  currency: z.string().nullable(),
  openedAtMs: z.number(),
})
export type Dispute = z.infer<typeof DisputeRow>

export const DISPUTE_COLUMNS = `d.dispute_id AS disputeId, p.order_key AS orderKey, d.amount_cents AS amountCents,
  d.currency, d.opened_at_ms AS openedAtMs`
