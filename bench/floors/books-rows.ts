/** Relationships that payments are spread over. */
export const FLOOR_RELATIONSHIPS = 10_000

const CENTS = 10_000
const FEE_CENTS = 250

/** Creates the accounts that the floor moves money between; the relationships' ids begin at 3. */
export const booksSetUp = `
INSERT INTO books.accounts (name, unit, class) VALUES ('processor:floor:receivable', 'EUR', 'asset'),
  ('income:service_fee', 'EUR', 'income');
INSERT INTO books.accounts (name, unit, class, owner_id, balance)
SELECT 'pcu_' || lpad(n::text, 26, '0') || ':pending', 'EUR', 'liability', 'pcu_' || lpad(n::text, 26, '0'), 'pending'
FROM generate_series(1, ${FLOOR_RELATIONSHIPS}) AS n;
INSERT INTO books.balances (account_id, amount, entries) SELECT id, 0, 0 FROM books.accounts WHERE owner_id IS NOT NULL;
`

/** A release as the books keep it until it is due. A colon before a letter would be a variable of pgbench. */
const RELEASE = JSON.stringify({
  id: 'jnl_01k9z5s1x8f3h9q2m7v4b6c0da',
  source: 'card_paid.01k9z5s1x8f3h9q2m7v4b6c0da',
  rule: 'available',
  order_key: '7',
  order_id: 'fio_01k9z5s1x8f3h9q2m7v4b6c0da',
  reverses: null,
  estimated: false,
  effective_at: '2026-11-23T12.00.00.000Z',
  due_at: '2026-11-23T12.00.00.000Z',
  transfers: [
    {
      debit: 'pcu_01k9z5s1x8f3h9q2m7v4b6c0da.pending',
      credit: 'pcu_01k9z5s1x8f3h9q2m7v4b6c0da.available',
      unit: 'EUR',
      amount: '9750',
      debit_kind: 'release',
      credit_kind: 'payment',
    },
  ],
}).replaceAll(':', ': ')

/**
 * Script of `pgbench` for a batch of card payments: the same rows in the same tables as the ledger's, by one CTE. The
 * relationships of a batch follow each other, so that each has one payment in it.
 */
export const booksScript = (batch: number): string => `
\\set first random(3, ${FLOOR_RELATIONSHIPS + 2 - batch})
WITH b AS MATERIALIZED (SELECT nextval('floor_numbers') * ${batch} AS base, now() AS at),
n AS MATERIALIZED (
  SELECT base + g AS seq, :first + g - 1 AS owner, lpad((base + g)::text, 26, '0') AS id, at
  FROM b, generate_series(1, ${batch}) AS g
), j AS (
  INSERT INTO books.journal (seq, id, source, rule, digest, order_key, order_id, reverses, estimated, effective_at,
    recorded_at)
  SELECT seq, 'jnl_' || id, 'card_paid ' || id, 'fact', sha256(id::bytea), seq::text, 'fio_' || id, NULL, false, at, at
  FROM n
), t AS (
  INSERT INTO books.transfers (seq, line, debit, credit, unit, amount)
  SELECT seq, 1, 1, owner, 'EUR', ${CENTS} FROM n
  UNION ALL SELECT seq, 2, owner, 2, 'EUR', ${FEE_CENTS} FROM n
), known AS MATERIALIZED (
  SELECT n.seq, n.owner, balances.amount, balances.entries
  FROM n JOIN books.balances ON account_id = n.owner FOR UPDATE OF balances
), e AS (
  INSERT INTO books.entries (account_id, number, seq, line, kind, amount, balance_after)
  SELECT owner, entries + 1, seq, 1, 'payment', ${CENTS}, amount + ${CENTS} FROM known
  UNION ALL SELECT owner, entries + 2, seq, 2, 'service_fee', -${FEE_CENTS}, amount + ${CENTS - FEE_CENTS} FROM known
), s AS (
  INSERT INTO books.scheduled (source, rule, due_at, digest, posting)
  SELECT 'card_paid ' || id, 'available', at + interval '48 hours', sha256(id::bytea), '${RELEASE}'::jsonb FROM n
), r AS (
  INSERT INTO received_facts (fact_id, service, seq, digest)
  SELECT 'card_paid ' || id, 'payments', seq, encode(sha256(id::bytea), 'hex') FROM n
)
UPDATE books.balances AS b SET amount = b.amount + ${CENTS - FEE_CENTS}, entries = b.entries + 2
FROM known WHERE b.account_id = known.owner;
`
