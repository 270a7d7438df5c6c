-- What a partner has its payment page show of an order (decisions §22): the name of the shop, what is bought, and the way
-- back to the shop. Orders of a version before show none of it.
ALTER TABLE crypto_orders
  ADD COLUMN IF NOT EXISTS shop_name text,
  ADD COLUMN IF NOT EXISTS description text,
  ADD COLUMN IF NOT EXISTS return_url text;
