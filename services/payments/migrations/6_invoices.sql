-- The onramp order that keeps a pending order from expiring by itself; null: none does.
ALTER TABLE crypto_orders ADD COLUMN onramp_order_id text;

DROP INDEX crypto_orders_due;
CREATE INDEX crypto_orders_due ON crypto_orders (expires_at) WHERE status = 'pending' AND onramp_order_id IS NULL;
