import { queryMany, queryNone } from '@causeway/chassis'
import { EntryKind } from '@causeway/contracts'
import { z } from 'zod'
import { journalPosition } from '../posting/position-store.ts'
import { OWNERS_OF_MERCHANT } from '../relationships/store.ts'

/** Postings that have been added to the totals. */
export const POSITION = journalPosition('daily-totals', 'daily_totals_position')

const ADD_TO_TOTALS = `
    ON CONFLICT (scope, day, unit, kind) DO UPDATE
      SET amount = total.amount + excluded.amount, entries = total.entries + excluded.entries`

/**
 * Adds the entries of postings to the totals of their owners, of the owners' partners and of the platform. A transfer between
 * two balances of one owner is in no total. It reads each table once, so that a relationship that is stored meanwhile is
 * either in its partner's sum or in `daily_totals_without_partner`.
 */
export const addPostings = queryNone({
  name: 'daily-totals.add',
  parameters: { after: 'bigint', through: 'bigint', since: 'date' },
  text: `
    WITH moved AS MATERIALIZED (
      SELECT a.owner_id, (j.effective_at AT TIME ZONE 'UTC')::date AS day, a.unit, e.kind, sum(e.amount) AS amount,
        sum(CASE WHEN j.reverses IS NULL THEN 1 ELSE -1 END) AS entries
      FROM books.journal AS j
      JOIN books.transfers AS t ON t.seq = j.seq
      JOIN books.entries AS e ON e.seq = t.seq AND e.line = t.line
      JOIN books.accounts AS a ON a.id = e.account_id
      JOIN books.accounts AS other ON other.id = t.debit + t.credit - e.account_id
      WHERE j.seq > :after AND j.seq <= :through AND (j.effective_at AT TIME ZONE 'UTC')::date >= :since
        AND other.owner_id IS DISTINCT FROM a.owner_id
      GROUP BY 1, 2, 3, 4
    ), placed AS MATERIALIZED (
      SELECT m.*, r.partner_id, m.owner_id NOT LIKE 'prt\\_%' AS is_customer,
        u.owner_id IS NOT NULL OR (m.owner_id LIKE 'pcu\\_%' AND r.partner_id IS NULL) AS waits
      FROM moved AS m
      LEFT JOIN relationships AS r ON r.partner_customer_id = m.owner_id
      LEFT JOIN daily_totals_without_partner AS u ON u.owner_id = m.owner_id
    ), waiting AS (
      INSERT INTO daily_totals_without_partner (owner_id) SELECT DISTINCT p.owner_id FROM placed AS p WHERE p.waits
      ON CONFLICT DO NOTHING
    )
    INSERT INTO daily_totals AS total (scope, day, unit, kind, amount, entries)
    SELECT scope, day, unit, kind, sum(amount), sum(entries) FROM (
      SELECT owner_id AS scope, day, unit, kind, amount, entries FROM placed
      UNION ALL
      SELECT 'customers:' || partner_id, day, unit, kind, amount, entries FROM placed
      WHERE partner_id IS NOT NULL AND NOT waits
      UNION ALL SELECT 'platform', day, unit, kind, amount, entries FROM placed WHERE is_customer
    ) AS shares
    GROUP BY scope, day, unit, kind${ADD_TO_TOTALS}`,
})

/** Adds the totals of relationships whose partner has become known to the partner's. */
export const addToPartners = queryNone({
  name: 'daily-totals.add-to-partners',
  text: `
    WITH known AS (
      DELETE FROM daily_totals_without_partner AS u USING relationships AS r
      WHERE r.partner_customer_id = u.owner_id
      RETURNING u.owner_id, r.partner_id
    )
    INSERT INTO daily_totals AS total (scope, day, unit, kind, amount, entries)
    SELECT 'customers:' || known.partner_id, own.day, own.unit, own.kind, sum(own.amount), sum(own.entries)
    FROM known JOIN daily_totals AS own ON own.scope = known.owner_id
    GROUP BY known.partner_id, own.day, own.unit, own.kind${ADD_TO_TOTALS}`,
})

/** Deletes totals of days before `since`. @returns one row for each */
export const deleteOld = queryMany({
  name: 'daily-totals.delete-old',
  parameters: { since: 'date', limit: 'integer' },
  text: `
    DELETE FROM daily_totals WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM daily_totals WHERE day < :since ORDER BY day LIMIT :limit FOR UPDATE SKIP LOCKED))
    RETURNING scope`,
  row: z.object({ scope: z.string() }),
})

const TotalRow = z.object({
  day: z.string(),
  unit: z.string(),
  kind: EntryKind,
  amount: z.string(),
  entries: z.number(),
})
export type TotalRow = Readonly<z.infer<typeof TotalRow>>

const period = { since: 'date', until: 'date', units: 'text[]' } as const

/** Totals of the scopes that `scopes` selects as `scope`, by day. No unit: all of them. */
const totalsOf = (scopes: string): string => `
    SELECT total.day::text, total.unit, total.kind, sum(total.amount)::text AS amount,
      sum(total.entries)::double precision AS entries
    FROM (${scopes}) AS chosen JOIN daily_totals AS total USING (scope)
    WHERE total.day BETWEEN :since AND :until AND (cardinality(:units) = 0 OR total.unit = ANY (:units))
    GROUP BY total.day, total.unit, total.kind
    ORDER BY total.day, total.unit COLLATE "C", total.kind`

/** Totals of all customers of a partner. */
export const listOfPartner = queryMany({
  name: 'daily-totals.of-partner',
  parameters: { partnerId: 'text', ...period },
  text: totalsOf("SELECT 'customers:' || :partnerId AS scope"),
  row: TotalRow,
})

/** Totals of a merchant: of all its relationships, and of what is booked at the merchant itself. */
export const listOfMerchant = queryMany({
  name: 'daily-totals.of-merchant',
  parameters: { merchantId: 'text', ...period },
  text: totalsOf(`SELECT owner_id AS scope FROM (${OWNERS_OF_MERCHANT}) AS owners`),
  row: TotalRow,
})

/** Totals of all customers of all partners. */
export const listOfPlatform = queryMany({
  name: 'daily-totals.of-platform',
  parameters: period,
  text: totalsOf("SELECT 'platform' AS scope"),
  row: TotalRow,
})
