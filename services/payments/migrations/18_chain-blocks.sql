-- The last block that was read of each network, and which replica reads it.
CREATE TABLE chain_positions (
  network text PRIMARY KEY,
  -- null until the first block was read
  number bigint,
  hash text,
  holder text,
  lease_until timestamptz NOT NULL
);

-- The newest blocks that were read: as far back as a reorganisation can be followed.
CREATE TABLE chain_blocks (
  network text NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (network, number)
);

-- Deposits of the newest blocks: those that wait for their depth, and those that a reorganisation takes away.
CREATE INDEX IF NOT EXISTS crypto_deposits_by_block ON crypto_deposits (network, block_number) WHERE block_number IS NOT NULL;
-- Deposits that are in no block: seen in the pool of waiting transactions, or taken out of their block.
CREATE INDEX IF NOT EXISTS crypto_deposits_unmined ON crypto_deposits (network) WHERE block_number IS NULL;
