-- Open orders whose addresses may receive what no transaction names (ETH that a contract sends): their balances are read
-- in turn.
CREATE TABLE balance_checks (
  order_id text PRIMARY KEY REFERENCES crypto_orders (id),
  -- the block at whose end the balance was read last; -1 before the first time
  checked_number bigint NOT NULL DEFAULT -1
);
CREATE INDEX IF NOT EXISTS balance_checks_turn ON balance_checks (checked_number);
