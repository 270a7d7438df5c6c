import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { preparationOf } from '../gateway/four-eyes.ts'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, Timestamp, TimestampInput } from '../primitives.ts'
import { CustomerPayout } from './payouts.ts'
import { LedgerAmount } from './units.ts'

/** Balances that one call of a run looks at. */
export const MAX_RUN_BALANCES = 100

/** Why a run paid nothing of a balance. */
export const SkipReason = z.enum(['below_minimum', 'no_destination', 'negative', 'on_hold', 'manual'])
export type SkipReason = z.infer<typeof SkipReason>

export const RunPayout = CustomerPayout.extend({
  payout_id: idOf('payout').nullable().meta({ description: 'Null in a dry run' }),
})
export const SkippedBalance = z.object({
  partner_customer_id: idOf('relationship'),
  unit: z.string(),
  /** Signed. */
  available: LedgerAmount,
  reason: SkipReason,
})

const body = z.strictObject({
  unit: Currency.optional(),
  partner_customer_id: idOf('relationship').optional().meta({
    description: 'Only this relationship, which is paid although its schedule is manual',
  }),
  cut_off: TimestampInput.optional().meta({
    description: 'Only entries that were recorded before; now if it is left out',
  }),
  dry_run: z
    .boolean()
    .optional()
    .meta({ description: 'True: writes nothing, and answers what a run would do' }),
  cursor: z.string().optional().meta({ description: '`next_cursor` of the answer before' }),
})
const refusals = ['invalid_request', 'resource_not_found', 'invalid_cursor'] as const

/** `ledger.payout-runs` (decisions §49). */
export const payoutRuns = resource('ledger.payout-runs', {
  run: operation({
    operationId: 'runPayouts',
    http: post('/payouts/run'),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    preparedBy: 'prepareRun',
    summary: 'Pay out what is available, or show what would be paid',
    description: `Use it with \`dry_run\` first. A run pays every relationship whose schedule is not \`manual\`, or the one that is named, everything available up to the cut-off. A call looks at ${MAX_RUN_BALANCES} balances: repeat it with \`next_cursor\` and the \`cut_off\` of the answer until the cursor is null. Send an \`Idempotency-Key\`: a retry with it continues an interrupted run.`,
    caller: 'operator',
    idempotent: 'optional',
    body,
    reply: z.object({
      payouts: z.array(RunPayout),
      skipped: z.array(SkippedBalance),
      cut_off: Timestamp,
      next_cursor: NextCursor,
    }),
    refusals: [...refusals, 'idempotency_key_reuse'],
    waitsMs: 10_000,
  }),
  prepareRun: operation({
    summary: 'Refuse a run that would be refused now, and say whether it needs a second person',
    caller: 'operator',
    body,
    reply: preparationOf(z.null()),
    refusals,
  }),
})
