-- How many orders of a network that takes no new ones may still be paid.
CREATE INDEX IF NOT EXISTS crypto_orders_open ON crypto_orders (network) WHERE status IN ('pending', 'underpaid');
