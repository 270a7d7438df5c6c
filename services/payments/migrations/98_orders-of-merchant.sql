-- Merchants list their orders, newest first. Ids are in the order of time.
CREATE INDEX IF NOT EXISTS crypto_orders_of_merchant ON crypto_orders (merchant_id, id);
CREATE INDEX IF NOT EXISTS fiat_orders_of_merchant ON fiat_orders (merchant_id, id);
