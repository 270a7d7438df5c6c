import type { DatabaseSync } from 'node:sqlite'

/**
 * `idempotency_key` and `request` identify a repeated call. A refund without a key is external: made outside the
 * platform. `card_notices` is the queue of notices to send.
 */
export const createCardTables = (database: DatabaseSync): void => {
  database.exec(`
    CREATE TABLE IF NOT EXISTS card_payments (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      payment_id TEXT NOT NULL UNIQUE,
      processor TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      request TEXT NOT NULL,
      page_token TEXT NOT NULL UNIQUE,
      order_key TEXT NOT NULL,
      total_cents INTEGER NOT NULL,
      refundable_cents INTEGER NOT NULL,
      currency TEXT NOT NULL,
      merchant_name TEXT NOT NULL,
      description TEXT NOT NULL,
      return_url TEXT,
      failure_url TEXT,
      notice_url TEXT NOT NULL,
      status TEXT NOT NULL,
      paid_cents INTEGER NOT NULL,
      payer_ip TEXT,
      payer_email TEXT,
      challenges_left INTEGER NOT NULL,
      dispute_due_at_ms INTEGER,
      created_at_ms INTEGER NOT NULL,
      UNIQUE (processor, idempotency_key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS card_payments_by_order ON card_payments (order_key);
    CREATE INDEX IF NOT EXISTS card_payments_to_dispute ON card_payments (dispute_due_at_ms)
      WHERE dispute_due_at_ms IS NOT NULL;
    CREATE TABLE IF NOT EXISTS card_refunds (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      refund_id TEXT NOT NULL UNIQUE,
      payment_id TEXT NOT NULL REFERENCES card_payments (payment_id),
      idempotency_key TEXT,
      request TEXT,
      amount_cents INTEGER NOT NULL,
      status TEXT NOT NULL DEFAULT 'succeeded',
      created_at_ms INTEGER NOT NULL,
      UNIQUE (payment_id, idempotency_key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS card_refunds_by_time ON card_refunds (created_at_ms);
    CREATE TABLE IF NOT EXISTS card_disputes (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      dispute_id TEXT NOT NULL UNIQUE,
      payment_id TEXT NOT NULL UNIQUE REFERENCES card_payments (payment_id),
      amount_cents INTEGER,
      currency TEXT,
      opened_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS card_notices (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      body TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      due_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS card_notices_by_time ON card_notices (due_at_ms);
  `)
  const columns = database.prepare("SELECT name FROM pragma_table_info('card_refunds')").all()
  // A folder from before refunds could fail.
  if (!columns.some(({ name }) => name === 'status'))
    database.exec("ALTER TABLE card_refunds ADD COLUMN status TEXT NOT NULL DEFAULT 'succeeded'")
}
