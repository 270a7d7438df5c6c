-- Who said the locked rate; null in orders from before.
ALTER TABLE crypto_orders ADD COLUMN rate_source text;
