import { z } from 'zod'
import { preparationOf } from '../gateway/four-eyes.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { OrderKey } from '../payments/fiat-orders.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, text, Timestamp } from '../primitives.ts'
import { AdjustedAmount } from './adjustments.ts'
import { LedgerAmount } from './units.ts'

const MAX_REASON_LENGTH = 500

/** How the books and a report from outside disagree (decisions §51). */
export const LEDGER_DIFFERENCE_KINDS = [
  'missing_here',
  'missing_there',
  'other_amount',
  'other_currency',
  'other_fee',
  'sum',
] as const
/** `matched`: its counterpart came later. */
export const LEDGER_DIFFERENCE_STATUSES = ['open', 'closed', 'matched'] as const
const LedgerDifferenceStatus = z.enum(LEDGER_DIFFERENCE_STATUSES)

/** A difference between the books and the outside (decisions §51). */
export const LedgerDifference = z.object({
  difference_id: idOf('difference'),
  kind: z.enum(LEDGER_DIFFERENCE_KINDS),
  /** The report: `processor:` and the processor’s name, or `bank:main`. */
  source: z.string(),
  /** Line of the report; null if it has none. Of a processor’s payout that the bank lacks: the processor, `:` and its line. */
  line_id: z.string().nullable(),
  order_key: OrderKey.nullable(),
  /** Relationship or partner whose money it is; null: the platform’s, or unknown. */
  owner: z.string().nullable(),
  unit: z.string(),
  /** In the books; null if they have nothing. A fee for `other_fee`, a sum for `sum`. */
  expected: LedgerAmount.nullable(),
  /** In the report, in `found_unit`; null if it has nothing. */
  found: LedgerAmount.nullable(),
  found_unit: z.string(),
  found_at: Timestamp,
  /** Time since it was found, or from then to its end. */
  age_seconds: z.number().int(),
  status: LedgerDifferenceStatus,
  ended_at: Timestamp.nullable(),
  reason: z.string().nullable(),
  adjustment_id: idOf('adjustment').nullable(),
})
export type LedgerDifference = z.infer<typeof LedgerDifference>

const params = z.object({ differenceId: idOf('difference') })
const body = z.strictObject({
  reason: text(MAX_REASON_LENGTH),
  adjustment: AdjustedAmount.optional().meta({
    description: 'Correction of an owner’s available balance, posted together with the close',
  }),
})
export type DifferenceClose = z.output<typeof body>
const refusals = [
  'invalid_request',
  'resource_not_found',
  'invalid_state',
  'amount_exceeds_available',
] as const

/** `ledger.differences`: differences between the books and the outside (decisions §51). */
export const differences = resource('ledger.differences', {
  list: operation({
    operationId: 'listLedgerDifferences',
    http: get('/ledger/differences'),
    role: 'viewer',
    tag: 'Ledger',
    summary: 'List differences between the books and reports from outside, oldest first',
    description: 'Check it daily: it shows money about which the books and a processor or the bank disagree.',
    caller: 'operator',
    query: z.object({
      status: LedgerDifferenceStatus.default('open'),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: z.object({ differences: z.array(LedgerDifference), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  close: operation({
    operationId: 'closeLedgerDifference',
    http: post('/ledger/differences/:differenceId/close'),
    role: 'finance',
    tag: 'Ledger',
    fourEyes: ['ledger'],
    preparedBy: 'prepareClose',
    summary: 'Close a difference with a reason or an adjustment',
    description:
      'Use it for a difference that you have examined. What it keeps in suspense goes to the adjusted owner, and the rest to `cost:loss` (a fee to `cost:processor_fee`).',
    caller: 'operator',
    params,
    body,
    reply: z.object({ difference: LedgerDifference }),
    refusals,
  }),
  prepareClose: operation({
    summary: 'Refuse a close that would be refused now',
    caller: 'operator',
    params,
    body,
    reply: preparationOf(z.object({ difference: LedgerDifference.omit({ age_seconds: true }) })),
    refusals,
  }),
})
