import { queryMany, queryNone } from '@causeway/chassis'
import { PastPayout } from '@causeway/contracts'
import { z } from 'zod'

/** The next payouts whose status the ledger has not confirmed. */
export const listUnconfirmed = queryMany({
  name: 'past-payouts.unconfirmed',
  parameters: { limit: 'integer' },
  text: `
    SELECT id, merchant_id, amount_cents, currency, status, scheduled_for, created_at, sent_at FROM payouts
    WHERE confirmed_status IS DISTINCT FROM status ORDER BY id LIMIT :limit`,
  row: z.object({
    id: z.string(),
    merchantId: z.string(),
    amountCents: z.number(),
    currency: z.string(),
    status: PastPayout.shape.status,
    scheduledFor: z.date(),
    createdAt: z.date(),
    sentAt: z.date().nullable(),
  }),
})

/** Stores which statuses the ledger has confirmed. `statuses`: by position in `ids`. */
export const confirmStatuses = queryNone({
  name: 'past-payouts.confirm',
  parameters: { ids: 'text[]', statuses: 'text[]' },
  text: `
    UPDATE payouts AS p SET confirmed_status = c.status
    FROM unnest(:ids, :statuses) AS c (id, status) WHERE p.id = c.id`,
})
