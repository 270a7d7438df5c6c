import { queryMany, queryOne } from '@causeway/chassis'
import { BalanceName, EntryKind, LedgerException } from '@causeway/contracts'
import { z } from 'zod'

const AccountRow = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.string(),
  class: z.enum(['asset', 'liability', 'income', 'cost']),
  ownerId: z.string().nullable(),
  balance: BalanceName.nullable(),
  amount: z.string().nullable(),
})
export type AccountRow = Readonly<z.infer<typeof AccountRow>>

const ACCOUNT = `
  SELECT a.id::text, a.name, a.unit, a.class, a.owner_id, a.balance, b.amount::text
  FROM books.accounts AS a LEFT JOIN books.balances AS b ON b.account_id = a.id`

/** For staff: accounts after a position. An empty unit selects all. */
export const listAccounts = queryMany({
  name: 'books.accounts',
  parameters: { after: 'bigint', unit: 'text', limit: 'integer' },
  text: `${ACCOUNT} WHERE a.id > :after AND (:unit = '' OR a.unit = :unit) ORDER BY a.id LIMIT :limit`,
  row: AccountRow,
})

/** For staff: accounts of one owner. */
export const listOwnedAccounts = queryMany({
  name: 'books.accounts-of-owner',
  parameters: { after: 'bigint', unit: 'text', ownerId: 'text', limit: 'integer' },
  text: `
    ${ACCOUNT} WHERE a.owner_id = :ownerId AND a.id > :after AND (:unit = '' OR a.unit = :unit)
    ORDER BY a.id LIMIT :limit`,
  row: AccountRow,
})

export const getAccount = queryOne({
  name: 'books.account',
  parameters: { id: 'bigint' },
  text: `${ACCOUNT} WHERE a.id = :id`,
  row: AccountRow,
})

const SideRow = z.object({
  seq: z.string(),
  line: z.number(),
  source: z.string(),
  rule: z.string(),
  isDebit: z.boolean(),
  amount: z.string(),
  otherAccount: z.string(),
  orderKey: z.string().nullable(),
  orderId: z.string().nullable(),
  effectiveAt: z.date(),
  recordedAt: z.date(),
})
export type SideRow = Readonly<z.infer<typeof SideRow>>

const sidesOf = (transfers: string): string => `
  SELECT t.seq::text, t.line, j.source, j.rule, t.debit = :accountId AS is_debit, t.amount::text,
    other.name AS other_account, j.order_key, j.order_id, j.effective_at, j.recorded_at
  FROM (${transfers}) AS t
  JOIN books.journal AS j USING (seq)
  JOIN books.accounts AS other ON other.id = CASE t.debit WHEN :accountId THEN t.credit ELSE t.debit END
  ORDER BY t.seq DESC, t.line DESC`

/** For staff: transfers of an account with an owner, by its entries. */
export const listOwnedSides = queryMany({
  name: 'books.sides-of-owned-account',
  parameters: { accountId: 'bigint', kinds: 'text[]', seq: 'bigint', line: 'integer', limit: 'integer' },
  text: sidesOf(`
    SELECT t.* FROM (
      SELECT e.seq, e.line
      FROM unnest(:kinds) AS wanted (kind)
      CROSS JOIN LATERAL (
        SELECT * FROM books.entries AS each
        WHERE each.account_id = :accountId AND each.kind = wanted.kind AND (each.seq, each.line) < (:seq, :line)
        ORDER BY each.seq DESC, each.line DESC LIMIT :limit
      ) AS e
      ORDER BY e.seq DESC, e.line DESC LIMIT :limit
    ) AS place JOIN books.transfers AS t USING (seq, line)`),
  row: SideRow,
})

/**
 * For staff: transfers of an account among the postings from `first` on, to before a position. The tables have no index
 * by account, which would cost every posting two rows: a page reads a bounded part of the journal.
 */
export const listSides = queryMany({
  name: 'books.sides-of-account',
  parameters: { accountId: 'bigint', first: 'bigint', seq: 'bigint', line: 'integer', limit: 'integer' },
  text: sidesOf(`
    SELECT * FROM books.transfers AS each
    WHERE each.seq >= :first AND (each.seq, each.line) < (:seq, :line)
      AND (each.debit = :accountId OR each.credit = :accountId)
    ORDER BY each.seq DESC, each.line DESC LIMIT :limit`),
  row: SideRow,
})

/** The number of the newest posting. */
export const getHead = queryOne({
  name: 'books.head',
  text: 'SELECT seq::text FROM books.head',
  row: z.object({ seq: z.string() }),
})

/** For staff. */
export const getPosting = queryOne({
  name: 'books.posting',
  parameters: { id: 'text' },
  text: `
    SELECT j.seq::text, j.source, j.rule, j.order_key, j.order_id, j.reverses, j.estimated, j.effective_at, j.recorded_at
    FROM books.journal AS j WHERE j.id = :id`,
  row: z.object({
    seq: z.string(),
    source: z.string(),
    rule: z.string(),
    orderKey: z.string().nullable(),
    orderId: z.string().nullable(),
    reverses: z.string().nullable(),
    estimated: z.boolean(),
    effectiveAt: z.date(),
    recordedAt: z.date(),
  }),
})

/** For staff: transfers of a posting, with the entries of each. */
export const listTransfers = queryMany({
  name: 'books.transfers-of-posting',
  parameters: { seq: 'bigint' },
  text: `
    SELECT t.line, d.name AS debit, c.name AS credit, t.unit, t.amount::text, (
        SELECT coalesce(jsonb_agg(
          jsonb_build_object('account', a.name, 'kind', e.kind, 'amount', e.amount::text) ORDER BY e.amount), '[]')
        FROM books.entries AS e JOIN books.accounts AS a ON a.id = e.account_id
        WHERE e.seq = t.seq AND e.line = t.line
      ) AS entries
    FROM books.transfers AS t
    JOIN books.accounts AS d ON d.id = t.debit
    JOIN books.accounts AS c ON c.id = t.credit
    WHERE t.seq = :seq ORDER BY t.line`,
  row: z.object({
    line: z.number(),
    debit: z.string(),
    credit: z.string(),
    unit: z.string(),
    amount: z.string(),
    entries: z.array(z.object({ account: z.string(), kind: EntryKind, amount: z.string() })),
  }),
})

const ExceptionRow = z.object({
  kind: LedgerException.shape.kind,
  subject: z.string(),
  unit: z.string().nullable(),
  amount: z.string().nullable(),
  orderKey: z.string().nullable(),
  orderId: z.string().nullable(),
  since: z.date().nullable(),
})
export type ExceptionRow = Readonly<z.infer<typeof ExceptionRow>>

/**
 * For staff: at most `limit` of each kind (differing facts count as one), the oldest first. A dispute that was reversed is not
 * listed.
 */
export const listExceptions = queryMany({
  name: 'books.exceptions',
  parameters: { before: 'timestamptz', comparedBefore: 'timestamptz', limit: 'integer' },
  text: `
    (SELECT 'negative_balance' AS kind, a.name AS subject, a.unit, b.amount::text, NULL AS order_key, NULL AS order_id,
      (SELECT j.recorded_at FROM books.entries AS first JOIN books.journal AS j USING (seq)
        WHERE first.account_id = b.account_id AND first.number = 1 + coalesce((
          SELECT last.number FROM books.entries AS last
          WHERE last.account_id = b.account_id AND last.balance_after >= 0 ORDER BY last.number DESC LIMIT 1), 0)
      ) AS since
    FROM books.balances AS b JOIN books.accounts AS a ON a.id = b.account_id
    WHERE b.amount < 0 ORDER BY b.account_id LIMIT :limit)
    UNION ALL
    (SELECT 'estimated_dispute', j.source, NULL, NULL, j.order_key, j.order_id, j.recorded_at
    FROM books.journal AS j
    WHERE j.estimated AND NOT EXISTS (SELECT FROM books.journal AS later WHERE later.reverses = j.source)
      AND NOT EXISTS (SELECT FROM settlement_items AS i WHERE i.source = j.source AND i.status = 'done')
    ORDER BY j.seq LIMIT :limit)
    UNION ALL
    (SELECT 'overdue', s.source, NULL, NULL, s.posting ->> 'order_key', s.posting ->> 'order_id', s.due_at
    FROM books.scheduled AS s WHERE s.due_at < :before ORDER BY s.due_at LIMIT :limit)
    UNION ALL
    (SELECT 'fact_' || d.kind, d.fact_id, NULL, NULL, j.order_key, j.order_id, d.found_at
    FROM fact_differences AS d LEFT JOIN books.journal AS j ON j.source = d.fact_id AND j.rule = 'fact'
    WHERE d.accepted_at IS NULL ORDER BY d.found_at, d.fact_id LIMIT :limit)
    UNION ALL
    (SELECT 'not_compared', c.service, NULL, NULL, NULL, NULL, c.compared_at
    FROM fact_comparisons AS c WHERE c.compared_at < :comparedBefore ORDER BY c.service LIMIT :limit)`,
  row: ExceptionRow,
})
