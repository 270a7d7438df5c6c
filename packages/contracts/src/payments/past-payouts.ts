import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Payout, PayoutStatus } from '../ledger/payouts.ts'
import { idOf } from '../primitives.ts'

/** Payouts of one request at most. */
export const MAX_PAST_PAYOUTS = 100

/** `payments.past-payouts`: payouts of versions in which payments kept them, for the ledger to take over. */
export const pastPayouts = resource('payments.past-payouts', {
  list: operation({
    summary: 'List payouts whose status the ledger has not confirmed, at most 100',
    caller: 'service',
    services: ['ledger'],
    reply: z.object({ payouts: z.array(Payout) }),
  }),
  confirm: operation({
    summary: 'Confirm that the ledger has payouts with these statuses',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({
      payouts: z
        .array(z.strictObject({ payout_id: idOf('payout'), status: PayoutStatus }))
        .max(MAX_PAST_PAYOUTS),
    }),
    reply: z.object({}),
  }),
})
