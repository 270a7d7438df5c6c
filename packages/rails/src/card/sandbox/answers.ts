import { z } from 'zod'
import { OutsideId, OutsideText, OutsideUrl } from '../../outside-text.ts'
import { CARD_PAYMENT_STATUSES, CARD_REFUND_STATUSES, type CardPayment, type CardRefund } from '../payment.ts'

const Cents = z.int().nonnegative()
const Currency = z.string().regex(/^[A-Z]{3}$/)
const Time = z.iso.datetime().transform((text) => new Date(text))

export const CheckoutAnswer = z.object({ payment_id: OutsideId, order_url: OutsideUrl })

export const RefundAnswer = z
  .object({
    refund_id: OutsideId,
    merchant_refund_id: OutsideId.nullable(),
    order_key: OutsideId,
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
    dispute_id: OutsideId,
    opened_at: Time,
    amount_cents: Cents.nullable(),
    currency: Currency.nullable(),
    fee_cents: Cents.nullable(),
    fee_currency: Currency.nullable(),
    reason: OutsideText.nullable(),
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
    payment_id: OutsideId,
    order_key: OutsideId,
    status: z.enum(CARD_PAYMENT_STATUSES),
    currency: Currency,
    total_cents: Cents,
    paid_cents: Cents,
    refunds: z.array(RefundAnswer),
    disputes: z.array(DisputeAnswer),
    payer: z.object({ ip: OutsideText.nullable(), email: OutsideText.nullable() }),
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
  notice_id: OutsideId,
  processor: OutsideId,
  event: OutsideText,
  kind: z.enum(['payment', 'refund', 'dispute']),
  payment_id: OutsideId,
})

export const AuthorizationPost = z.object({
  processor: OutsideId,
  payment_id: OutsideId,
  order_key: OutsideId,
  payer_ip: OutsideText.nullable(),
  payer_email: OutsideText.nullable(),
})
