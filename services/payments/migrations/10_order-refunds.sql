-- Where staff have sent back what a cancelled order had received, and when (decisions §14).
ALTER TABLE crypto_orders
  ADD COLUMN refund_address text,
  ADD COLUMN refunded_at timestamptz,
  ADD CONSTRAINT crypto_orders_refund CHECK ((refund_address IS NULL) = (refunded_at IS NULL)) NOT VALID;
