import { queryMany, queryOne } from '@causeway/chassis'
import { BalanceName, EntryKind } from '@causeway/contracts'
import { z } from 'zod'

const month = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM')`

export const readLastSeal = queryOne({
  name: 'seals.last',
  text: `
    SELECT number::integer, month, closes, last_seq::text, encode(root, 'hex') AS root
    FROM books.seals ORDER BY number DESC LIMIT 1`,
  row: z.object({
    number: z.number(),
    month: z.string(),
    closes: z.boolean(),
    lastSeq: z.string(),
    root: z.string(),
  }),
})

/** The month of the first posting after one, and the last of at most `limit` postings of that month. */
export const readWindow = queryOne({
  name: 'seals.window',
  parameters: { after: 'bigint', limit: 'integer' },
  text: `
    SELECT month, max(seq)::text AS last_seq
    FROM (
      SELECT seq, ${month('recorded_at')} AS month
      FROM books.journal WHERE seq > :after ORDER BY seq LIMIT :limit
    ) AS next
    GROUP BY month ORDER BY month LIMIT 1`,
  row: z.object({ month: z.string(), lastSeq: z.string() }),
})

/** Digest of every field of postings and their transfers (hex). */
export const digestPostings = queryOne({
  name: 'seals.digest-postings',
  parameters: { first: 'bigint', last: 'bigint' },
  text: `
    SELECT encode(sha256(convert_to(coalesce(string_agg(
      jsonb_build_array(j.seq, j.id, j.source, j.rule, encode(j.digest, 'hex'), j.order_key, j.order_id, j.reverses,
        j.estimated, extract(epoch FROM j.effective_at), extract(epoch FROM j.recorded_at), t.transfers)::text,
      E'\\n' ORDER BY j.seq), ''), 'UTF8')), 'hex') AS digest
    FROM books.journal AS j
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_array(t.line, d.name, c.name, t.unit, t.amount) ORDER BY t.line) AS transfers
      FROM books.transfers AS t
      JOIN books.accounts AS d ON d.id = t.debit
      JOIN books.accounts AS c ON c.id = t.credit
      WHERE t.seq = j.seq
    ) AS t
    WHERE j.seq BETWEEN :first AND :last`,
  row: z.object({ digest: z.string() }),
})

const LineRow = z.object({
  accountId: z.string(),
  account: z.string(),
  ownerId: z.string(),
  balance: BalanceName,
  unit: z.string(),
  number: z.string(),
  line: z.number(),
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
/** An entry with its posting, and the earlier entry of the same owner, unit and kind that it takes back. */
export type LineRow = Readonly<z.infer<typeof LineRow>>

const linesOf = (entries: string): string => `
  SELECT e.account_id::text, a.name AS account, a.owner_id, a.balance, a.unit, e.number::text, e.line, e.kind,
    e.amount::text, e.balance_after::text, j.source, j.rule, j.order_key, j.order_id, j.estimated, j.effective_at,
    j.recorded_at, reversed.source AS reversed_source, reversed.line AS reversed_line,
    reversed.account AS reversed_account
  FROM (${entries}) AS e
  JOIN books.accounts AS a ON a.id = e.account_id
  JOIN books.journal AS j ON j.seq = e.seq
  LEFT JOIN LATERAL (
    SELECT j.reverses AS source, r.line, b.name AS account
    FROM books.journal AS former
    JOIN books.entries AS r ON r.seq = former.seq
    JOIN books.accounts AS b ON b.id = r.account_id AND b.owner_id = a.owner_id AND b.unit = a.unit
    WHERE former.source = j.reverses AND former.rule = 'fact' AND former.seq < j.seq
      AND r.kind = CASE e.kind WHEN 'dispute_reversed' THEN 'dispute' WHEN 'payout_returned' THEN 'payout' ELSE e.kind END
    ORDER BY r.amount = -e.amount DESC, r.line LIMIT 1
  ) AS reversed ON true
  ORDER BY e.account_id, e.number`

/** The entries of postings, by account, in order. */
export const readLines = queryMany({
  name: 'seals.lines',
  parameters: { first: 'bigint', last: 'bigint' },
  text: linesOf('SELECT * FROM books.entries AS each WHERE each.seq BETWEEN :first AND :last'),
  row: LineRow,
})

/** Entries of accounts by their numbers: of each account from `firsts` to `lasts`. By account, in order. */
export const readLinesOfAccounts = queryMany({
  name: 'seals.lines-of-accounts',
  parameters: { accountIds: 'bigint[]', firsts: 'bigint[]', lasts: 'bigint[]' },
  text: linesOf(`
    SELECT each.* FROM unnest(:accountIds, :firsts, :lasts) AS wanted (account_id, first, last)
    JOIN books.entries AS each
      ON each.account_id = wanted.account_id AND each.number BETWEEN wanted.first AND wanted.last`),
  row: LineRow,
})

const AccountState = z.object({
  accountId: z.string(),
  ownerId: z.string(),
  balance: BalanceName,
  unit: z.string(),
  month: z.string(),
  first: z.string(),
  last: z.string(),
  opening: z.string(),
  closing: z.string(),
  lines: z.string(),
})

const statesOf = (accounts: string): string => `
  SELECT a.id::text AS account_id, a.owner_id, a.balance, a.unit, latest.*
  FROM ${accounts}
  JOIN books.accounts AS a ON a.id = wanted.account_id
  CROSS JOIN LATERAL (
    SELECT s.month, l.first::text, l.last::text, l.opening::text, l.closing::text, encode(l.lines, 'hex') AS lines
    FROM books.seal_leaves AS l JOIN books.seals AS s ON s.number = l.seal
    WHERE l.account_id = wanted.account_id ORDER BY l.seal DESC LIMIT 1
  ) AS latest`

/** Accounts as their latest seals have them. */
export const readStates = queryMany({
  name: 'seals.states',
  parameters: { accountIds: 'bigint[]' },
  text: statesOf('unnest(:accountIds) AS wanted (account_id)'),
  row: AccountState,
})

/** The accounts of a closing seal: those with entries in the month, or with money. */
export const readClosingStates = queryMany({
  name: 'seals.closing-states',
  parameters: { month: 'text' },
  text: `${statesOf('books.balances AS wanted')} WHERE latest.month = :month OR latest.closing <> '0' ORDER BY a.id`,
  row: AccountState,
})

/** Appends a seal. False: another replica has appended one meanwhile. */
export const appendSeal = queryOne({
  name: 'seals.append',
  parameters: { seal: 'jsonb', leaves: 'jsonb', now: 'timestamptz' },
  text: 'SELECT books.seal(:seal, :leaves, :now) AS appended',
  row: z.object({ appended: z.boolean() }),
})

/** Seals from one on, in order. */
export const readSeals = queryMany({
  name: 'seals.list',
  parameters: { from: 'bigint', limit: 'integer' },
  text: `
    SELECT number::integer, month, closes, first_seq::text, last_seq::text, size, encode(root, 'hex') AS root
    FROM books.seals WHERE number >= :from ORDER BY number LIMIT :limit`,
  row: z.object({
    number: z.number(),
    month: z.string(),
    closes: z.boolean(),
    firstSeq: z.string(),
    lastSeq: z.string(),
    size: z.number(),
    root: z.string(),
  }),
})

/** The leaves of a seal, in order. */
export const readLeaves = queryMany({
  name: 'seals.leaves',
  parameters: { seal: 'bigint' },
  text: `
    SELECT account_id::text, encode(nonce, 'hex') AS nonce, encode(hash, 'hex') AS hash
    FROM books.seal_leaves WHERE seal = :seal ORDER BY place`,
  row: z.object({ accountId: z.string(), nonce: z.string(), hash: z.string() }),
})

/** The hashes of a seal's leaves in order, one after another. */
export const readLeafHashes = queryOne({
  name: 'seals.leaf-hashes',
  parameters: { seal: 'bigint' },
  text: `
    SELECT coalesce(string_agg(hash, ''::bytea ORDER BY place), ''::bytea) AS hashes
    FROM books.seal_leaves WHERE seal = :seal`,
  row: z.object({ hashes: z.instanceof(Buffer) }),
})

/** The seal that closes a month. */
export const getClosingSeal = queryOne({
  name: 'seals.closing',
  parameters: { month: 'text' },
  text: 'SELECT number::integer FROM books.seals WHERE month = :month AND closes',
  row: z.object({ number: z.number() }),
})
