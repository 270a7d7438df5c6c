import type { DatabaseSync } from 'node:sqlite'

/**
 * `chain_entries` is the log that the platform reads: the state of a deposit after each change.
 * AUTOINCREMENT never reuses a `seq`, which is the reader's cursor.
 */
export const createChainTables = (database: DatabaseSync): void => {
  database.exec(`
    CREATE TABLE IF NOT EXISTS chain_watches (
      order_id TEXT PRIMARY KEY,
      network TEXT NOT NULL,
      asset TEXT NOT NULL,
      address TEXT NOT NULL,
      due TEXT NOT NULL,
      UNIQUE (network, address)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS chain_deposits (
      deposit_id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id TEXT NOT NULL REFERENCES chain_watches (order_id),
      asset TEXT NOT NULL,
      tx_id TEXT NOT NULL UNIQUE,
      amount TEXT NOT NULL,
      confirmations INTEGER NOT NULL,
      block_number INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS chain_deposits_by_order ON chain_deposits (order_id);
    CREATE TABLE IF NOT EXISTS chain_entries (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      deposit_id INTEGER NOT NULL REFERENCES chain_deposits (deposit_id),
      confirmations INTEGER NOT NULL,
      block_number INTEGER
    ) STRICT;
    CREATE TABLE IF NOT EXISTS chain_heads (network TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS chain_transactions (
      tx_id TEXT PRIMARY KEY,
      network TEXT NOT NULL,
      asset TEXT NOT NULL,
      from_address TEXT NOT NULL,
      nonce INTEGER NOT NULL,
      to_address TEXT NOT NULL,
      leaves TEXT NOT NULL,
      amount TEXT NOT NULL,
      UNIQUE (network, from_address, nonce)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS chain_transactions_by_recipient ON chain_transactions (network, to_address);
    CREATE INDEX IF NOT EXISTS chain_entries_by_deposit ON chain_entries (deposit_id, seq) WHERE block_number IS NULL;
  `)
  const columns = database.prepare("SELECT name FROM pragma_table_info('chain_deposits')").all()
  if (columns.some(({ name }) => name === 'asset')) return
  // Of a folder from before deposits had an asset: they were in their order's.
  database.exec(`
    ALTER TABLE chain_deposits ADD COLUMN asset TEXT NOT NULL DEFAULT '';
    UPDATE chain_deposits SET asset = (SELECT asset FROM chain_watches w WHERE w.order_id = chain_deposits.order_id);
    INSERT INTO chain_heads (network, number) SELECT w.network, MAX(d.block_number)
    FROM chain_deposits d JOIN chain_watches w USING (order_id) WHERE d.block_number IS NOT NULL GROUP BY w.network;
  `)
}
