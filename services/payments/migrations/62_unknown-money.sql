-- Deposits that name no order (decisions §52): where they arrived as the chain's reader writes it, the address that holds
-- them, and who sent them where the chain tells. All three stay when staff apply a deposit to an order.
ALTER TABLE crypto_deposits
  ALTER COLUMN order_id DROP NOT NULL,
  ADD COLUMN address text,
  ADD COLUMN held_at text,
  ADD COLUMN sender text,
  ADD CONSTRAINT crypto_deposits_place CHECK (
    (order_id IS NOT NULL OR address IS NOT NULL) AND (address IS NULL) = (held_at IS NULL)) NOT VALID;
ALTER TABLE unattributed_money ADD COLUMN sender text;
