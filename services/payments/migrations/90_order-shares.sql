-- Shares of a card order's money (decisions §52): the partner's fee, and splits as [{partner_customer_id, amount_cents,
-- reference?}]. reversed_cents: what refunds and disputes have taken back so far, by which the shares are returned.
ALTER TABLE fiat_orders
  ADD COLUMN partner_fee_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN splits jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN reversed_cents bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT fiat_orders_partner_fee CHECK (partner_fee_cents BETWEEN 0 AND amount_cents) NOT VALID;
