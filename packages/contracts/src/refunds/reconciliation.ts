import { z } from 'zod'
import { OrderKey } from '../payments/fiat-orders.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'
import { Refund } from './refunds.ts'

/** How a refund of the platform and one of its processor can disagree. */
export const REFUND_DIFFERENCES = [
  'missing_at_processor',
  'missing_here',
  'other_amount',
  'other_state',
] as const
export const RefundDifferenceKind = z.enum(REFUND_DIFFERENCES)
export type RefundDifferenceKind = z.infer<typeof RefundDifferenceKind>

const count = z.number().int()
/** How many refunds differ, by kind. */
const countOf = {
  missing_at_processor: count,
  missing_here: count,
  other_amount: count,
  other_state: count,
} satisfies Record<RefundDifferenceKind, z.ZodType>

/** One comparison of all refunds of a processor since a time. */
export const ReconciliationRun = z.object({
  started_at: Timestamp,
  /** Null while it is in progress. */
  finished_at: Timestamp.nullable(),
  /** Refunds that the processor made at or after this time were read. */
  since: Timestamp,
  /** How many refunds the processor listed. */
  compared: z.number().int(),
  /** How many of them were recorded now, because they were made outside the API. */
  recorded: z.number().int(),
  /**
   * Skipped parts: refunds made between two times, or those of one order, for which the processor failed repeatedly while
   * it answered for the rest. The next run reads them again.
   */
  left_out: z.array(
    z.object({
      since: Timestamp.nullable(),
      until: Timestamp.nullable(),
      order_key: OrderKey.nullable(),
    }),
  ),
})
export type ReconciliationRun = z.infer<typeof ReconciliationRun>

/** The refund on one side. Amount in the currency's minor unit. */
const RefundSide = z.object({
  amount_cents: z.number().int(),
  currency: z.string(),
  status: Refund.shape.status,
})
export type RefundSide = z.infer<typeof RefundSide>

/** A refund on which the platform and its processor disagree, until they agree or staff close it. */
export const RefundDifference = z.object({
  difference_id: idOf('refundDifference'),
  kind: RefundDifferenceKind,
  processor: z.string(),
  processor_refund_id: z.string().nullable(),
  refund_id: idOf('refund').nullable(),
  /** Null when no order of the platform is known for it. */
  order_key: OrderKey.nullable(),
  partner_id: idOf('partner').nullable(),
  /** Null when it is missing here. */
  here: RefundSide.nullable(),
  /** Null when it is missing at the processor. */
  at_processor: RefundSide.nullable(),
  found_at: Timestamp,
  checked_at: Timestamp,
  closed_at: Timestamp.nullable(),
})
export type RefundDifference = z.infer<typeof RefundDifference>

/** `refunds.reconciliation`: results of comparing all refunds with the processors' lists (docs/REFUNDS.md). */
export const reconciliation = resource('refunds.reconciliation', {
  get: operation({
    operationId: 'getReconciliation',
    http: get('/reconciliation'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get the last reconciliation runs and the open differences, oldest first',
    description: 'Check it daily: it shows refunds about which the platform and a processor disagree.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({
      processors: z.array(
        z.object({
          processor: z.string(),
          /** The last one that was finished; null before the first. */
          last_run: ReconciliationRun.nullable(),
          current_run: ReconciliationRun.nullable(),
          open_differences: z.object(countOf),
        }),
      ),
      differences: z.array(RefundDifference),
      next_cursor: NextCursor,
    }),
    refusals: ['invalid_cursor'],
  }),
  close: operation({
    operationId: 'closeRefundDifference',
    http: post('/reconciliation/differences/:differenceId/close'),
    role: 'finance',
    tag: 'Payments',
    summary: 'Close a difference that staff examined; it reopens when either side changes',
    description: 'Use it for a difference that needs no correction.',
    caller: 'operator',
    params: z.object({ differenceId: idOf('refundDifference') }),
    reply: z.object({ difference: RefundDifference }),
    refusals: ['resource_not_found'],
  }),
})
