-- The block that a deposit is in now; null while it is in none, and for deposits from before until they are reported again.
ALTER TABLE crypto_deposits ADD COLUMN block_hash text;
COMMENT ON COLUMN crypto_deposits.counted_at IS
  'when it reached the chain''s confirmation depth and was added to the order''s received; null again when it is taken back';

-- Deposits that were counted and that the chain has taken back, with the block that they were in.
CREATE TABLE deposit_reversals (
  network text NOT NULL,
  tx_id text NOT NULL,
  output_index integer NOT NULL,
  reverted_at timestamptz NOT NULL,
  block_hash text,
  block_number bigint,
  order_id text NOT NULL REFERENCES crypto_orders (id),
  asset text NOT NULL,
  amount numeric NOT NULL
);
CREATE INDEX deposit_reversals_by_order ON deposit_reversals (order_id);

-- A late payment whose deposit was taken back is none any more.
ALTER TABLE late_payments ADD COLUMN reverted_at timestamptz;
