import { queryMany } from '@causeway/chassis'
import { z } from 'zod'
import { journalPosition } from '../posting/position-store.ts'

/** Postings that have been examined for negative balances. */
export const POSITION = journalPosition('negative-balances', 'balance_watch')

const CrossingRow = z.object({
  journalId: z.string(),
  recordedAt: z.date(),
  partnerId: z.string(),
  merchantId: z.string(),
  partnerCustomerId: z.string(),
  unit: z.string(),
  available: z.string(),
})
export type CrossingRow = Readonly<z.infer<typeof CrossingRow>>

/**
 * Available balances that were zero or more before a posting and less than zero after it, in the order of the postings. Of
 * active relationships that have granted their partner to read balances.
 */
export const listCrossings = queryMany({
  name: 'negative-balances.crossings',
  parameters: { after: 'bigint', through: 'bigint' },
  text: `
    SELECT j.id AS journal_id, j.recorded_at, r.partner_id, r.merchant_id, r.partner_customer_id, a.unit,
      last.balance_after::text AS available
    FROM (
      SELECT e.seq, e.account_id, min(e.number) AS first, max(e.number) AS last FROM books.entries AS e
      WHERE e.seq > :after AND e.seq <= :through GROUP BY e.seq, e.account_id
    ) AS moved
    JOIN books.accounts AS a ON a.id = moved.account_id AND a.balance = 'available'
    JOIN relationships AS r ON r.partner_customer_id = a.owner_id AND r.status = 'active' AND 'wallets' = ANY (r.grants)
    JOIN books.entries AS first ON first.account_id = moved.account_id AND first.number = moved.first
    JOIN books.entries AS last ON last.account_id = moved.account_id AND last.number = moved.last
    JOIN books.journal AS j ON j.seq = moved.seq
    WHERE first.balance_after - first.amount >= 0 AND last.balance_after < 0
    ORDER BY moved.seq, a.id`,
  row: CrossingRow,
})
