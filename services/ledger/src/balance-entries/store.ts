import { queryMany, queryOne } from '@causeway/chassis'
import { BalanceName, EntryKind } from '@causeway/contracts'
import { z } from 'zod'
import { OWNERS_OF_MERCHANT } from '../relationships/store.ts'

export const EntryRow = z.object({
  seq: z.string(),
  line: z.number(),
  accountId: z.string(),
  ownerId: z.string(),
  account: z.string(),
  unit: z.string(),
  balance: BalanceName,
  kind: EntryKind,
  amount: z.string(),
  balanceAfter: z.string(),
  source: z.string(),
  rule: z.string(),
  orderKey: z.string().nullable(),
  orderId: z.string().nullable(),
  estimated: z.boolean(),
  effectiveAt: z.date(),
  recordedAt: z.date(),
  reversedSource: z.string().nullable(),
  reversedLine: z.number().nullable(),
  reversedAccount: z.string().nullable(),
})
export type EntryRow = Readonly<z.infer<typeof EntryRow>>

const page = {
  units: 'text[]',
  balances: 'text[]',
  kinds: 'text[]',
  since: 'timestamptz',
  until: 'timestamptz',
  seq: 'bigint',
  line: 'integer',
  accountId: 'bigint',
  limit: 'integer',
} as const

/** Accounts of the owners that `owners` selects as `owner_id`. No unit or balance: all of them. */
const accountsOf = (owners: string): string => `
  SELECT a.id, a.name, a.unit, a.owner_id, a.balance
  FROM (${owners}) AS owner JOIN books.accounts AS a USING (owner_id)
  WHERE (cardinality(:units) = 0 OR a.unit = ANY (:units))
    AND (cardinality(:balances) = 0 OR a.balance = ANY (:balances))`

/** The postings from `first` to before `last` are those of the period. */
const PERIOD = `
  SELECT
    coalesce((
      SELECT j.seq FROM books.journal AS j WHERE j.recorded_at >= :since ORDER BY j.recorded_at, j.seq LIMIT 1
    ), 9223372036854775807) AS first,
    coalesce((
      SELECT j.seq FROM books.journal AS j WHERE j.recorded_at >= :until ORDER BY j.recorded_at, j.seq LIMIT 1
    ), 9223372036854775807) AS last`

/**
 * Adds the posting to the entries of a page, and the entry that each takes back: of the same owner, unit and kind.
 * `more`: further columns of the page, `p.x,` each.
 */
export const withPostings = (entries: string, more = ''): string => `
  SELECT ${more} p.seq::text, p.line, p.account_id::text, p.owner_id, p.account, p.unit, p.balance, p.kind, p.amount::text,
    p.balance_after::text, j.source, j.rule, j.order_key, j.order_id, j.estimated, j.effective_at, j.recorded_at,
    reversed.source AS reversed_source, reversed.line AS reversed_line, reversed.account AS reversed_account
  FROM (${entries}) AS p
  JOIN books.journal AS j USING (seq)
  LEFT JOIN LATERAL (
    SELECT j.reverses AS source, e.line, a.name AS account
    FROM books.journal AS former
    JOIN books.entries AS e ON e.seq = former.seq
    JOIN books.accounts AS a ON a.id = e.account_id AND a.owner_id = p.owner_id AND a.unit = p.unit
    WHERE former.source = j.reverses AND former.rule = 'fact'
      AND e.kind = CASE p.kind WHEN 'dispute_reversed' THEN 'dispute' WHEN 'payout_returned' THEN 'payout' ELSE p.kind END
    ORDER BY e.amount = -p.amount DESC, e.line LIMIT 1
  ) AS reversed ON true
  ORDER BY p.seq DESC, p.line DESC, p.account_id DESC`

export const ENTRY_COLUMNS = `
  e.seq, e.line, e.account_id, a.owner_id, a.name AS account, a.unit, a.balance, e.kind, e.amount, e.balance_after`

/**
 * Entries after a position, newest first: merged from the newest of each account and kind, which one index serves. An
 * entry of the position's own line comes after it in accounts with a lower id.
 */
const pageOf = (owners: string): string =>
  withPostings(`
    WITH owned AS MATERIALIZED (${accountsOf(owners)}), period AS MATERIALIZED (${PERIOD})
    SELECT ${ENTRY_COLUMNS}
    FROM owned AS a CROSS JOIN unnest(:kinds) AS wanted (kind) CROSS JOIN period
    CROSS JOIN LATERAL (
      SELECT * FROM books.entries AS each
      WHERE each.account_id = a.id AND each.kind = wanted.kind AND each.seq >= period.first AND each.seq < period.last
        AND (each.seq, each.line) < (:seq, :line + (a.id < :accountId)::integer)
      ORDER BY each.seq DESC, each.line DESC LIMIT :limit
    ) AS e
    ORDER BY e.seq DESC, e.line DESC, e.account_id DESC LIMIT :limit`)

/** As above, of one order, or of the postings of a payout's steps: there are few. */
const orderPageOf = (owners: string): string =>
  withPostings(`
    WITH owned AS MATERIALIZED (${accountsOf(owners)}), posted AS MATERIALIZED (
      SELECT j.seq, j.order_key, j.order_id, j.recorded_at FROM books.journal AS j WHERE j.order_id = :order
      UNION
      SELECT j.seq, j.order_key, j.order_id, j.recorded_at FROM books.journal AS j WHERE j.order_key = :order
      UNION
      SELECT j.seq, j.order_key, j.order_id, j.recorded_at FROM books.journal AS j WHERE j.source = ANY (:sources)
    )
    SELECT ${ENTRY_COLUMNS}
    FROM posted AS j JOIN books.entries AS e USING (seq) JOIN owned AS a ON a.id = e.account_id
    WHERE e.kind = ANY (:kinds) AND j.recorded_at >= :since AND j.recorded_at < :until
      AND (j.order_key = :orderKey OR :orderKey = '') AND (j.order_id = :orderId OR :orderId = '')
      AND (e.seq, e.line, e.account_id) < (:seq, :line, :accountId)
    ORDER BY e.seq DESC, e.line DESC, e.account_id DESC LIMIT :limit`)

const ofOrder = { order: 'text', orderKey: 'text', orderId: 'text', sources: 'text[]' } as const

const OF_CUSTOMER = `
  SELECT r.partner_customer_id AS owner_id FROM relationships AS r
  WHERE r.partner_id = :partnerId AND r.partner_customer_id = :partnerCustomerId AND r.status = 'active'
    AND 'wallets' = ANY (r.grants)`
const customer = { partnerId: 'text', partnerCustomerId: 'text' } as const
export const listEntries = queryMany({
  name: 'balance-entries.list',
  parameters: { ...customer, ...page },
  text: pageOf(OF_CUSTOMER),
  row: EntryRow,
})
export const listOrderEntries = queryMany({
  name: 'balance-entries.list-of-order',
  parameters: { ...customer, ...page, ...ofOrder },
  text: orderPageOf(OF_CUSTOMER),
  row: EntryRow,
})

const OF_PARTNER = 'SELECT :partnerId AS owner_id'
const partner = { partnerId: 'text' } as const
export const listPartnerEntries = queryMany({
  name: 'balance-entries.list-of-partner',
  parameters: { ...partner, ...page },
  text: pageOf(OF_PARTNER),
  row: EntryRow,
})
export const listPartnerOrderEntries = queryMany({
  name: 'balance-entries.list-of-partner-order',
  parameters: { ...partner, ...page, ...ofOrder },
  text: orderPageOf(OF_PARTNER),
  row: EntryRow,
})

const merchant = { merchantId: 'text' } as const
export const listMerchantEntries = queryMany({
  name: 'balance-entries.list-of-merchant',
  parameters: { ...merchant, ...page },
  text: pageOf(OWNERS_OF_MERCHANT),
  row: EntryRow,
})
export const listMerchantOrderEntries = queryMany({
  name: 'balance-entries.list-of-merchant-order',
  parameters: { ...merchant, ...page, ...ofOrder },
  text: orderPageOf(OWNERS_OF_MERCHANT),
  row: EntryRow,
})

/** Key with which the cursors of lists are authenticated. */
export const readCursorKey = queryOne({
  name: 'cursor-key.read',
  text: 'SELECT key FROM cursor_key',
  row: z.object({ key: z.instanceof(Buffer) }),
})
