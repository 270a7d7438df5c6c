-- A refund of unknown money has no order: it keeps what it leaves from. Older refunds leave from their order's address.
ALTER TABLE order_refunds
  ALTER COLUMN order_id DROP NOT NULL,
  ADD COLUMN network text,
  ADD COLUMN key_index bigint,
  ADD COLUMN from_address text,
  ADD CONSTRAINT order_refunds_source CHECK (
    order_id IS NOT NULL OR num_nulls(unattributed_money_id, asset, network, from_address) = 0) NOT VALID;
