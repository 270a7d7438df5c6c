-- The choices of the merchant's verification data: a default of its orders where the plan says so (decisions §52).
ALTER TABLE relationships ADD COLUMN IF NOT EXISTS kyb_choices jsonb NOT NULL DEFAULT '{}';
-- Charged for a dispute instead of the processor's fee; null: the processor's fee. In the order's currency, by the version
-- of the price plan under which it was created.
ALTER TABLE fiat_orders ADD COLUMN IF NOT EXISTS dispute_fee_cents bigint;
