import { FiatOrder, Refund, RefundLine, type RefundAnswer, type RefundOfPartner } from '@causeway/contracts'
import { z } from 'zod'
import { REFUND_STATES, shownStatusOf } from './state.ts'

/** A refund as it is stored. Amounts in the currency's minor unit. */
export const RefundRecord = z.object({
  id: z.string(),
  partnerId: z.string(),
  orderKey: z.string(),
  state: z.enum(REFUND_STATES),
  amountCents: z.number(),
  /** In plain text, as written before descriptions were sealed; else null. */
  description: z.string().nullable(),
  descriptionSealed: z.string().nullable(),
  orderLines: z.array(RefundLine).nullable(),
  idempotencyKey: z.string(),
  partnerCustomerId: z.string().nullable(),
  orderId: z.string().nullable(),
  currency: z.string().nullable(),
  processor: z.string().nullable(),
  processorOrderId: z.string().nullable(),
  serviceFeePayer: FiatOrder.shape.service_fee_payer.nullable(),
  maxRefundableCents: z.number().nullable(),
  refundedBeforeCents: z.number().nullable(),
  processorRefundId: z.string().nullable(),
  attempts: z.number(),
  createdAt: z.date(),
  completedAt: z.date().nullable(),
})
export type RefundRecord = Readonly<z.infer<typeof RefundRecord>>

/** A refund that was validated: everything about its order is known. */
export const ValidatedRefund = RefundRecord.extend({
  partnerCustomerId: z.string(),
  orderId: z.string(),
  currency: z.string(),
  processor: z.string(),
  processorOrderId: z.string(),
  serviceFeePayer: FiatOrder.shape.service_fee_payer,
  maxRefundableCents: z.number(),
  refundedBeforeCents: z.number(),
})
export type ValidatedRefund = Readonly<z.infer<typeof ValidatedRefund>>

/** A refund in its order's list, requested by anyone. */
export const ListedRefund = ValidatedRefund.pick({
  id: true,
  orderKey: true,
  state: true,
  amountCents: true,
  currency: true,
  description: true,
  descriptionSealed: true,
  orderLines: true,
  createdAt: true,
  completedAt: true,
}).extend({ source: Refund.shape.source })
export type ListedRefund = Readonly<z.infer<typeof ListedRefund>>

/** A refund of any partner, for staff. */
export const RefundForStaff = ListedRefund.extend({
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  orderId: z.string(),
  processor: z.string(),
  processorRefundId: z.string().nullable(),
  attempts: z.number(),
})
export type RefundForStaff = Readonly<z.infer<typeof RefundForStaff>>

/** The answer to a refund that was made (spec: Refund). It never changes afterwards. */
export const answerOf = (refund: ValidatedRefund): RefundAnswer => {
  const refundedCents = refund.refundedBeforeCents + refund.amountCents
  const remainingCents = Math.max(refund.maxRefundableCents - refundedCents, 0)
  return {
    order_key: refund.orderKey,
    currency: refund.currency,
    refund: {
      amount_cents: refund.amountCents,
      status: remainingCents === 0 ? 'refunded' : 'partially_refunded',
    },
    service_fee_payer: refund.serviceFeePayer,
    max_refundable_cents: refund.maxRefundableCents,
    refunded_cents: refundedCents,
    remaining_refundable_cents: remainingCents,
  }
}

/** The refund in its order's list (decisions §10), with its description. */
export const presentRefund = (refund: ListedRefund, description: string | null): Refund => ({
  refund_id: refund.id,
  order_key: refund.orderKey,
  amount_cents: refund.amountCents,
  currency: refund.currency,
  status: shownStatusOf(refund.state),
  description,
  order_lines: refund.orderLines,
  source: refund.source,
  created_at: refund.createdAt.toISOString(),
  completed_at: refund.completedAt?.toISOString() ?? null,
})

/** The refund as staff see it. */
export const presentForStaff = (refund: RefundForStaff, description: string | null): RefundOfPartner => ({
  ...presentRefund(refund, description),
  partner_id: refund.partnerId,
  partner_customer_id: refund.partnerCustomerId,
  order_id: refund.orderId,
  processor: refund.processor,
  processor_refund_id: refund.processorRefundId,
  attempts: refund.attempts,
})
