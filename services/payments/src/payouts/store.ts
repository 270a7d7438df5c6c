import { queryMany, queryOne } from '@causeway/chassis'
import { Payout } from '@causeway/contracts'
import { z } from 'zod'

const PayoutRow = z.object({
  id: z.string(),
  merchantId: z.string(),
  amountCents: z.number(),
  currency: z.string(),
  status: Payout.shape.status,
  scheduledFor: z.date(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
})
export type PayoutRow = Readonly<z.infer<typeof PayoutRow>>

const COLUMNS =
  'p.id, p.merchant_id, p.amount_cents, p.currency, p.status, p.scheduled_for, p.created_at, p.sent_at'

/** No row for a merchant without a relationship. */
export const insert = queryOne({
  name: 'payouts.insert',
  parameters: {
    id: 'text',
    merchantId: 'text',
    amountCents: 'bigint',
    currency: 'text',
    scheduledFor: 'timestamptz',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO payouts AS p (id, merchant_id, amount_cents, currency, status, scheduled_for, created_at)
    SELECT :id, :merchantId, :amountCents, :currency, 'upcoming', :scheduledFor, :now
    WHERE EXISTS (SELECT FROM relationships r WHERE r.merchant_id = :merchantId)
    RETURNING ${COLUMNS}`,
  row: PayoutRow,
})

/** No row for a payout that is not upcoming. For staff. */
export const markSent = queryOne({
  name: 'payouts.mark-sent',
  parameters: { payoutId: 'text', now: 'timestamptz' },
  text: `
    UPDATE payouts p SET status = 'sent', sent_at = :now WHERE p.id = :payoutId AND p.status = 'upcoming'
    RETURNING ${COLUMNS}`,
  row: PayoutRow,
})

/** For staff: payouts of one status in the order of their schedule, after a position. */
export const listPage = queryMany({
  name: 'payouts.page',
  parameters: { status: 'text', at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM payouts p
    WHERE p.status = :status AND (p.scheduled_for, p.id) > (:at, :id)
    ORDER BY p.scheduled_for, p.id LIMIT :limit`,
  row: PayoutRow,
})

/** For staff. */
export const get = queryOne({
  name: 'payouts.find',
  parameters: { payoutId: 'text' },
  text: `SELECT ${COLUMNS} FROM payouts p WHERE p.id = :payoutId`,
  row: PayoutRow,
})
