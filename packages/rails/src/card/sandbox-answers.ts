import { z } from 'zod'
import { CARD_PAYMENT_STATUSES, CARD_REFUND_STATUSES, type CardPayment, type CardRefund } from './payment.ts'

const Cents = z.int().nonnegative()
const Currency = z.string().regex(/^[A-Z]{3}$/)
const Time = z.iso.datetime().transform((text) => new Date(text))

export const CheckoutAnswer = z.object({ payment_id: z.string().min(1), order_url: z.url() })

export const RefundAnswer = z
  .object({
    refund_id: z.string().min(1),
    merchant_refund_id: z.string().nullable(),
    order_key: z.string(),
    amount_cents: z.int().positive(),
    currency: Currency,
    status: z.enum(CARD_REFUND_STATUSES),
    created_at: Time,
  })
  .transform((refund): CardRefund => ({
    processorRefundId: refund.refund_id,
    refundId: refund.merchant_refund_id,
    orderKey: refund.order_key,
    amountCents: refund.amount_cents,
    currency: refund.currency,
    status: refund.status,
    createdAt: refund.created_at,
  }))

export const RefundsAnswer = z.object({ refunds: z.array(RefundAnswer), next: z.string().nullable() })

const DisputeAnswer = z
  .object({
    dispute_id: z.string().min(1),
    opened_at: Time,
    amount_cents: Cents.nullable(),
    currency: Currency.nullable(),
    fee_cents: Cents.nullable(),
    fee_currency: Currency.nullable(),
    reason: z.string().nullable(),
  })
  .transform((dispute) => ({
    disputeId: dispute.dispute_id,
    disputedAt: dispute.opened_at,
    amountCents: dispute.amount_cents,
    currency: dispute.currency,
    feeCents: dispute.fee_cents,
    feeCurrency: dispute.fee_currency,
    reason: dispute.reason,
  }))

export const PaymentAnswer = z
  .object({
    payment_id: z.string().min(1),
    order_key: z.string(),
    status: z.enum(CARD_PAYMENT_STATUSES),
    currency: Currency,
    total_cents: Cents,
    paid_cents: Cents,
    refunds: z.array(RefundAnswer),
    disputes: z.array(DisputeAnswer),
    payer: z.object({ ip: z.string().nullable(), email: z.string().nullable() }),
  })
  .transform(({ refunds, disputes, payer, ...payment }): CardPayment => ({
    processorOrderId: payment.payment_id,
    orderKey: payment.order_key,
    status: payment.status,
    processorStatus: payment.status,
    currency: payment.currency,
    totalCents: payment.total_cents,
    paidCents: payment.paid_cents,
    refundedCents: refunds
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, { amountCents }) => sum + amountCents, 0),
    refunds,
    disputes,
    payer,
  }))

export const NoticePost = z.object({
  notice_id: z.string().min(1),
  processor: z.string(),
  event: z.string(),
  kind: z.enum(['payment', 'refund', 'dispute']),
  payment_id: z.string().min(1),
})

export const AuthorizationPost = z.object({
  processor: z.string(),
  payment_id: z.string().min(1),
  order_key: z.string().min(1),
  payer_ip: z.string().nullable(),
  payer_email: z.string().nullable(),
})
