import { statement } from '@causeway/chassis'
import { z } from 'zod'

const PayoutRow = z.object({
  id: z.string(),
  merchantId: z.string(),
  amountCents: z.number(),
  currency: z.string(),
  status: z.enum(['upcoming', 'sent']),
  scheduledFor: z.date(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
})
export type PayoutRow = Readonly<z.infer<typeof PayoutRow>>

const COLUMNS = `
  p.id, p.merchant_id AS "merchantId", p.amount_cents AS "amountCents", p.currency, p.status,
  p.scheduled_for AS "scheduledFor", p.created_at AS "createdAt", p.sent_at AS "sentAt"`

/** Nothing for a merchant that nobody knows. $1 id, $2 merchant, $3 amount, $4 currency, $5 scheduled, $6 now */
export const insert = statement({
  name: 'payouts.insert',
  text: `
    INSERT INTO payouts AS p (id, merchant_id, amount_cents, currency, status, scheduled_for, created_at)
    SELECT $1, $2, $3, $4, 'upcoming', $5, $6
    WHERE EXISTS (SELECT FROM relationships r WHERE r.merchant_id = $2)
    RETURNING ${COLUMNS}`,
  row: PayoutRow,
})

/** For staff. $1 payout, $2 now */
export const markSent = statement({
  name: 'payouts.mark-sent',
  text: `
    UPDATE payouts p SET status = 'sent', sent_at = $2 WHERE p.id = $1 AND p.status = 'upcoming'
    RETURNING ${COLUMNS}`,
  row: PayoutRow,
})

/** For staff. $1 payout */
export const find = statement({
  name: 'payouts.find',
  text: `SELECT ${COLUMNS} FROM payouts p WHERE p.id = $1`,
  row: PayoutRow,
})
