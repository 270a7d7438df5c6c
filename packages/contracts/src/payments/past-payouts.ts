import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

/** Payouts of one request at most. */
export const MAX_PAST_PAYOUTS = 100

const PastStatus = z.enum(['upcoming', 'sent'])

/** A payout as payments kept it. */
export const PastPayout = z.object({
  payout_id: idOf('payout'),
  customer_id: idOf('merchant'),
  amount_cents: z.number().int(),
  currency: z.string(),
  status: PastStatus,
  scheduled_for: Timestamp,
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
})
export type PastPayout = z.infer<typeof PastPayout>

/** `payments.past-payouts`: payouts of versions in which payments kept them, for the ledger to take over. */
export const pastPayouts = resource('payments.past-payouts', {
  list: operation({
    summary: 'List payouts whose status the ledger has not confirmed, at most 100',
    caller: 'service',
    services: ['ledger'],
    reply: z.object({ payouts: z.array(PastPayout) }),
  }),
  confirm: operation({
    summary: 'Confirm that the ledger has payouts with these statuses',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({
      payouts: z
        .array(z.strictObject({ payout_id: idOf('payout'), status: PastStatus }))
        .max(MAX_PAST_PAYOUTS),
    }),
    reply: z.object({}),
  }),
})
