import { queryMany, queryOne } from '@causeway/chassis'
import { Payout } from '@causeway/contracts'
import { z } from 'zod'

export const PayoutRow = z.object({
  payoutId: z.string(),
  merchantId: z.string(),
  ownerId: z.string(),
  amountCents: z.number(),
  currency: z.string(),
  status: Payout.shape.status,
  scheduledFor: z.date(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
})
export type PayoutRow = Readonly<z.infer<typeof PayoutRow>>

export const PAYOUT_COLUMNS =
  'p.payout_id, p.merchant_id, p.owner_id, p.amount_cents, p.currency, p.status, p.scheduled_for, p.created_at, p.sent_at'

/**
 * The owner that a merchant's payout is booked at: the relationship that is named, the merchant's only one, or the merchant
 * itself. `partnerCustomerId` empty: none is named. Null for a merchant or relationship that is unknown.
 */
export const getOwner = queryOne({
  name: 'payouts.owner',
  parameters: { merchantId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT CASE
        WHEN :partnerCustomerId <> '' THEN max(r.partner_customer_id)
        WHEN count(*) = 1 THEN max(r.partner_customer_id)
        WHEN count(*) > 1 THEN :merchantId
      END AS owner_id
    FROM relationships AS r
    WHERE r.merchant_id = :merchantId AND :partnerCustomerId IN ('', r.partner_customer_id)`,
  row: z.object({ ownerId: z.string().nullable() }),
})

/** Null for a payout that is known. */
export const insert = queryOne({
  name: 'payouts.announce',
  parameters: {
    payoutId: 'text',
    merchantId: 'text',
    ownerId: 'text',
    amountCents: 'bigint',
    currency: 'text',
    scheduledFor: 'timestamptz',
    createdAt: 'timestamptz',
  },
  text: `
    INSERT INTO payouts AS p
      (payout_id, merchant_id, owner_id, amount_cents, currency, status, scheduled_for, created_at)
    VALUES (:payoutId, :merchantId, :ownerId, :amountCents, :currency, 'upcoming', :scheduledFor, :createdAt)
    ON CONFLICT DO NOTHING RETURNING ${PAYOUT_COLUMNS}`,
  row: PayoutRow,
})

/** Null for a payout that is not upcoming. */
export const markSent = queryOne({
  name: 'payouts.send',
  parameters: { payoutId: 'text', at: 'timestamptz' },
  text: `
    UPDATE payouts AS p SET status = 'sent', sent_at = :at WHERE p.payout_id = :payoutId AND p.status = 'upcoming'
    RETURNING ${PAYOUT_COLUMNS}`,
  row: PayoutRow,
})

export const get = queryOne({
  name: 'payouts.get',
  parameters: { payoutId: 'text' },
  text: `SELECT ${PAYOUT_COLUMNS} FROM payouts AS p WHERE p.payout_id = :payoutId`,
  row: PayoutRow,
})

/** Payouts of one status in the order of their schedule, after a position. */
export const listPage = queryMany({
  name: 'payouts.list',
  parameters: { status: 'text', at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${PAYOUT_COLUMNS} FROM payouts AS p
    WHERE p.status = :status AND (p.scheduled_for, p.payout_id) > (:at, :id)
    ORDER BY p.scheduled_for, p.payout_id LIMIT :limit`,
  row: PayoutRow,
})
