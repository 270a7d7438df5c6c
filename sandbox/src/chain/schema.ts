import type { DatabaseSync } from 'node:sqlite'

/**
 * `chain_entries` is the log that the platform reads: the state of a deposit after each change.
 * AUTOINCREMENT never reuses a `seq`, which is the reader's cursor.
 */
export const createChainTables = (database: DatabaseSync): void =>
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
