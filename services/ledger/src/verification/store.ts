import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Sums at an instant of `recorded_at`: of each account without an owner, and of those with one by their balance. Debits and
 * credits are both positive.
 */
export const readTrialBalance = queryMany({
  name: 'books.trial-balance',
  parameters: { at: 'timestamptz' },
  text: `
    WITH place AS (
      SELECT through.seq AS through, coalesce((
          SELECT c.seq FROM books.checkpoints AS c WHERE c.seq <= through.seq ORDER BY c.seq DESC LIMIT 1), 0) AS checkpoint
      FROM (SELECT coalesce((
        SELECT j.seq FROM books.journal AS j WHERE j.recorded_at <= :at ORDER BY j.recorded_at DESC, j.seq DESC LIMIT 1
      ), 0) AS seq) AS through
    )
    SELECT s.unit, s.name, s.class, sum(s.debits)::text AS debits, sum(s.credits)::text AS credits
    FROM place CROSS JOIN LATERAL (
      SELECT c.unit, c.name, c.class, c.debits, c.credits FROM books.checkpoint_sums AS c WHERE c.seq = place.checkpoint
      UNION ALL
      SELECT b.unit, b.name, b.class, b.debits, b.credits FROM books.sums_between(place.checkpoint, place.through) AS b
    ) AS s
    GROUP BY s.unit, s.name, s.class ORDER BY s.unit, s.name`,
  row: z.object({
    unit: z.string(),
    name: z.string(),
    class: z.enum(['asset', 'liability', 'income', 'cost']),
    debits: z.string(),
    credits: z.string(),
  }),
})

/** Makes the next checkpoint if there are enough postings after the last one. */
export const makeCheckpoint = queryOne({
  name: 'verification.make-checkpoint',
  parameters: { every: 'bigint' },
  text: 'SELECT books.make_checkpoint(:every) AS made',
  row: z.object({ made: z.boolean() }),
})

/** At most this many faults of each kind are named. */
const FAULTS_SHOWN = 20

const Fault = z.object({ subject: z.string(), fault: z.string() })

/** Balances that differ from the sum or the number of their entries. */
export const findWrongBalances = queryMany({
  name: 'verification.balances',
  text: `
    SELECT a.name || ' ' || a.unit AS subject,
      'balance ' || coalesce(b.amount::text, 'missing') || ' of ' || coalesce(b.entries::text, 'no') || ' entries, but '
        || coalesce(e.entries, 0) || ' entries sum to ' || coalesce(e.amount, 0) AS fault
    FROM books.accounts AS a
    LEFT JOIN books.balances AS b ON b.account_id = a.id
    LEFT JOIN (
      SELECT account_id, count(*) AS entries, sum(amount) AS amount FROM books.entries GROUP BY account_id
    ) AS e ON e.account_id = a.id
    WHERE (b.amount, b.entries) IS DISTINCT FROM (e.amount, e.entries)
    ORDER BY a.id LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/** Entries whose number leaves a gap, or whose `balance_after` is not the sum of the entries up to them. */
export const findWrongEntries = queryMany({
  name: 'verification.entries',
  text: `
    SELECT a.name || ' ' || a.unit AS subject,
      'entry ' || run.number || ' is number ' || run.place || ' and leaves ' || run.total || ', not '
        || run.balance_after AS fault
    FROM (
      SELECT account_id, number, balance_after, row_number() OVER earlier AS place, sum(amount) OVER earlier AS total
      FROM books.entries
      WINDOW earlier AS (PARTITION BY account_id ORDER BY number ROWS UNBOUNDED PRECEDING)
    ) AS run
    JOIN books.accounts AS a ON a.id = run.account_id
    WHERE run.number <> run.place OR run.balance_after <> run.total
    ORDER BY run.account_id, run.number LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/** Sides of transfers without their entry, and entries that are not a side of a transfer. */
export const findWrongSides = queryMany({
  name: 'verification.sides',
  text: `
    WITH sides AS (
      SELECT t.seq, t.line, a.id AS account_id, side.amount
      FROM books.transfers AS t
      CROSS JOIN LATERAL (VALUES (t.debit, -t.amount), (t.credit, t.amount)) AS side (account_id, amount)
      JOIN books.accounts AS a ON a.id = side.account_id AND a.owner_id IS NOT NULL
    )
    SELECT 'posting ' || seq || ' line ' || line AS subject,
      name || ' has an entry of ' || coalesce(e.amount::text, 'nothing') || ' for a transfer of '
        || coalesce(s.amount::text, 'nothing') AS fault
    FROM sides AS s FULL JOIN books.entries AS e USING (seq, line, account_id)
    JOIN books.accounts AS a ON a.id = account_id
    WHERE s.amount IS DISTINCT FROM e.amount
    ORDER BY seq, line LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/** Postings that are missing between others, recorded before an earlier one, or beyond the head. */
export const findWrongJournal = queryMany({
  name: 'verification.journal',
  text: `
    SELECT 'posting ' || seq AS subject, fault FROM (
      SELECT seq, CASE
          WHEN seq <> place THEN 'is number ' || place
          WHEN recorded_at < before THEN 'is recorded before the posting before it'
        END AS fault
      FROM (
        SELECT seq, recorded_at, row_number() OVER (ORDER BY seq) AS place, lag(recorded_at) OVER (ORDER BY seq) AS before
        FROM books.journal
      ) AS run
      UNION ALL
      SELECT head.seq, 'is the head, but the journal ends with ' || newest.seq
      FROM books.head CROSS JOIN (SELECT coalesce(max(seq), 0) AS seq FROM books.journal) AS newest
      WHERE head.seq <> newest.seq
    ) AS found
    WHERE fault IS NOT NULL ORDER BY seq LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/** Payouts that are not the sum of their items, or whose posting has another amount or fee. */
export const findWrongPayouts = queryMany({
  name: 'verification.payouts',
  text: `
    SELECT 'payout ' || p.payout_id AS subject,
      'pays ' || p.amount || ' by ' || p.entry_count || ' entries, but ' || i.entries || ' entries and an advance of '
        || p.advance || ' are ' || i.amount + p.advance || ', and ' || coalesce(t.amount::text, 'nothing')
        || ' is posted, with a fee of ' || coalesce(f.amount, 0) || ' instead of ' || p.fee AS fault
    FROM books.payouts AS p
    CROSS JOIN LATERAL (
      SELECT count(*) AS entries, coalesce(sum(amount), 0) AS amount FROM books.payout_items
      WHERE payout_id = p.payout_id
    ) AS i
    LEFT JOIN books.journal AS j ON j.source = p.payout_id AND j.rule = 'fact'
    LEFT JOIN books.transfers AS t ON t.seq = j.seq AND t.line = 1 AND t.debit = p.account_id
    LEFT JOIN books.transfers AS f ON f.seq = j.seq AND f.line = 2 AND f.debit = p.account_id
    WHERE (p.amount, p.amount, p.entry_count, p.fee)
      IS DISTINCT FROM (i.amount + p.advance, t.amount, i.entries, coalesce(f.amount, 0))
    ORDER BY p.payout_id LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/**
 * Accounts of payouts whose balance is not the rest of their entries less what was advanced; and those of which
 * books.paid leaves something out.
 */
export const findWrongRests = queryMany({
  name: 'verification.rests',
  text: `
    SELECT a.name || ' ' || a.unit AS subject,
      'balance ' || b.amount || ', but ' || every.rest - books.advanced(a.id) || ' is not paid out, of which '
        || later.rest - books.advanced(a.id) || ' is seen' AS fault
    FROM (SELECT DISTINCT account_id AS id FROM books.payouts) AS paid
    JOIN books.accounts AS a USING (id)
    JOIN books.balances AS b ON b.account_id = a.id
    CROSS JOIN LATERAL (SELECT coalesce(sum(rest), 0) AS rest FROM books.unpaid(a.id, 0)) AS every
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(rest), 0) AS rest
      FROM books.unpaid(a.id, coalesce((SELECT through FROM books.paid WHERE account_id = a.id), 0))
    ) AS later
    WHERE b.amount <> every.rest - books.advanced(a.id) OR later.rest <> every.rest
    ORDER BY a.id LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/** Checkpoints whose sums are not those of the checkpoint before and of the postings in between. */
export const findWrongCheckpoints = queryMany({
  name: 'verification.checkpoints',
  text: `
    SELECT 'checkpoint ' || seq AS subject,
      name || ' ' || unit || ' has debits of ' || coalesce(kept.debits, 0) || ' and credits of '
        || coalesce(kept.credits, 0) || ', but the postings give ' || coalesce(given.debits, 0) || ' and '
        || coalesce(given.credits, 0) AS fault
    FROM (
      SELECT c.seq, b.unit, b.name, sum(b.debits) AS debits, sum(b.credits) AS credits
      FROM (SELECT seq, lag(seq, 1, 0::bigint) OVER (ORDER BY seq) AS before FROM books.checkpoints) AS c
      CROSS JOIN LATERAL (
        SELECT unit, name, debits, credits FROM books.sums_between(c.before, c.seq)
        UNION ALL
        SELECT unit, name, debits, credits FROM books.checkpoint_sums WHERE seq = c.before
      ) AS b
      GROUP BY c.seq, b.unit, b.name
    ) AS given
    FULL JOIN books.checkpoint_sums AS kept USING (seq, unit, name)
    WHERE (kept.debits, kept.credits) IS DISTINCT FROM (given.debits, given.credits)
    ORDER BY seq, unit, name LIMIT ${FAULTS_SHOWN}`,
  row: Fault,
})

/** Tables of the books that this connection's role could change other than by their functions. */
export const findWritableTables = queryMany({
  name: 'verification.writable-tables',
  text: `
    SELECT relname AS subject, 'can be changed by the role of this connection' AS fault
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'books' AND relkind = 'r' AND (
      pg_has_role(relowner, 'MEMBER') OR pg_has_role(nspowner, 'MEMBER')
      OR has_table_privilege(pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER'))
    ORDER BY relname`,
  row: Fault,
})

/** Lets the other statements of a transaction take longer than those of requests. */
export const allowLongStatements = queryOne({
  name: 'verification.allow-long-statements',
  parameters: { timeoutMs: 'text' },
  text: "SELECT set_config('statement_timeout', :timeoutMs, true) AS timeout",
  row: z.object({ timeout: z.string() }),
})

/** Scheduled postings that were due before an instant, counted up to a bound. */
export const countOverdue = queryOne({
  name: 'verification.overdue',
  parameters: { before: 'timestamptz', bound: 'integer' },
  text: `
    SELECT count(*)::integer AS overdue
    FROM (SELECT FROM books.scheduled WHERE due_at < :before LIMIT :bound) AS late`,
  row: z.object({ overdue: z.number() }),
})
