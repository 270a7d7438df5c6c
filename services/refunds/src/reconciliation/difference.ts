import { RefundDifference, RefundDifferenceKind, type RefundSide } from '@causeway/contracts'
import type { CardRefund } from '@causeway/rails/cards'
import { z } from 'zod'
import { shownStatusOf } from '../refunds/state.ts'
import type { ValidatedRefund } from '../refunds/refund.ts'

/** A difference as it is stored. */
export const DifferenceRecord = z.object({
  id: z.string(),
  kind: RefundDifferenceKind,
  processor: z.string(),
  processorRefundId: z.string(),
  partnerId: z.string().nullable(),
  orderKey: z.string().nullable(),
  processorOrderId: z.string().nullable(),
  refundId: z.string().nullable(),
  here: RefundDifference.shape.here,
  atProcessor: RefundDifference.shape.at_processor,
  foundAt: z.date(),
  checkedAt: z.date(),
  closedAt: z.date().nullable(),
})
export type DifferenceRecord = Readonly<z.infer<typeof DifferenceRecord>>

/** A difference as a comparison finds it, before it is stored. */
export type FoundDifference = Omit<DifferenceRecord, 'id' | 'foundAt' | 'checkedAt' | 'closedAt'>

/** How the platform has a refund. */
export const sideHere = (
  refund: Pick<ValidatedRefund, 'amountCents' | 'currency' | 'state'>,
): RefundSide => ({
  amount_cents: refund.amountCents,
  currency: refund.currency,
  status: shownStatusOf(refund.state),
})

/** How its processor has a refund. */
export const sideAtProcessor = (refund: CardRefund): RefundSide => ({
  amount_cents: refund.amountCents,
  currency: refund.currency,
  status: refund.status,
})

/** The difference as staff read it. */
export const presentDifference = (difference: DifferenceRecord): RefundDifference => ({
  difference_id: difference.id,
  kind: difference.kind,
  processor: difference.processor,
  processor_refund_id: difference.processorRefundId,
  refund_id: difference.refundId,
  order_key: difference.orderKey,
  partner_id: difference.partnerId,
  here: difference.here,
  at_processor: difference.atProcessor,
  found_at: difference.foundAt.toISOString(),
  checked_at: difference.checkedAt.toISOString(),
  closed_at: difference.closedAt?.toISOString() ?? null,
})
