import pg from 'pg'

/** One entry of so many belongs to the relationship whose pages are read. */
const BUSY_SHARE = 10
const OTHERS = 10_000
/** Entries of one statement. */
const CHUNK = 500_000

export const BUSY = {
  partnerId: `prt_${'0'.repeat(25)}1`,
  partnerCustomerId: `pcu_${'0'.repeat(26)}`,
}

const SET_UP = `
INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
VALUES ('${BUSY.partnerCustomerId}', '${BUSY.partnerId}', 'cus_1', 'active', '{wallets}', 1);
INSERT INTO books.accounts (name, unit, class) VALUES ('processor:bench:receivable', 'EUR', 'asset');
INSERT INTO books.accounts (name, unit, class, owner_id, balance)
SELECT 'pcu_' || lpad(n::text, 26, '0') || ':available', 'EUR', 'liability', 'pcu_' || lpad(n::text, 26, '0'), 'available'
FROM generate_series(0, ${OTHERS}) AS n;
-- The rows are right by construction.
ALTER TABLE books.transfers DISABLE TRIGGER ALL;
ALTER TABLE books.entries DISABLE TRIGGER ALL;
`

/** Postings of one transfer and one entry each. Every tenth belongs to the busy relationship, account 2. */
const FILL = `
WITH n AS MATERIALIZED (
  SELECT seq, CASE WHEN seq % ${BUSY_SHARE} = 0 THEN 2 ELSE 3 + seq % ${OTHERS} END AS account,
    CASE WHEN seq % ${BUSY_SHARE} = 0 THEN seq / ${BUSY_SHARE} ELSE 1 + seq / ${OTHERS} END AS number,
    $3::timestamptz + seq * interval '1 second' AS at
  FROM generate_series($1::bigint, $2::bigint) AS seq
), j AS (
  INSERT INTO books.journal (seq, id, source, rule, digest, order_key, order_id, reverses, estimated, effective_at,
    recorded_at)
  SELECT seq, 'jnl_' || lpad(seq::text, 26, '0'), 'paid ' || seq, 'fact', sha256(seq::text::bytea), seq::text,
    'fio_' || lpad(seq::text, 26, '0'), NULL, false, at, at
  FROM n
), t AS (
  INSERT INTO books.transfers (seq, line, debit, credit, unit, amount) SELECT seq, 1, 1, account, 'EUR', 100 FROM n
)
INSERT INTO books.entries (account_id, number, seq, line, kind, amount, balance_after)
SELECT account, number, seq, 1, 'payment', 100, number * 100 FROM n`

const FIRST_AT_MS = Date.now() - 400 * 86_400_000

/** Returns the instant at which the posting of a number was recorded. */
export const recordedAt = (seq: number): Date => new Date(FIRST_AT_MS + seq * 1_000)

/** Fills empty books with entries. @param url the database, as a superuser */
export const fillEntries = async (url: string, entries: number): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(SET_UP)
    for (let from = 1; from <= entries; from += CHUNK)
      await client.query(FILL, [from, Math.min(from + CHUNK - 1, entries), recordedAt(0)])
    // Checkpoints are made up to the head.
    await client.query('UPDATE books.head SET seq = $1', [entries])
    await client.query('VACUUM (ANALYZE)')
  } finally {
    await client.end()
  }
}
