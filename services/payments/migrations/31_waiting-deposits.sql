-- Deposits in a block that do not count yet: they count by what they are, not by how far they are from the newest block.
CREATE INDEX IF NOT EXISTS crypto_deposits_waiting ON crypto_deposits (network, block_number)
  WHERE counted_at IS NULL AND block_number IS NOT NULL;
-- Underpaid orders end some time after their rate's (UNDERPAID_AFTER).
CREATE INDEX IF NOT EXISTS crypto_orders_underpaid ON crypto_orders (expires_at) WHERE status = 'underpaid';

-- Balances of ended orders are read too, less often: contracts send ETH at any time. `spent` is what had left the address
-- at a block that is final.
ALTER TABLE balance_checks
  ADD COLUMN due_number bigint NOT NULL DEFAULT 0,
  ADD COLUMN spent numeric NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS balance_checks_due ON balance_checks (due_number);
INSERT INTO balance_checks (order_id)
SELECT id FROM crypto_orders WHERE network = 'ETH' AND asset = 'ETH' ON CONFLICT DO NOTHING;
