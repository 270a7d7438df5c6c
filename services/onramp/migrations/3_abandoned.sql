-- When a purchase was given up because its provider has provably not created it. Its crypto order is released, and the
-- row deleted, when nobody can still be asking payments to hold the crypto order for it.
ALTER TABLE onramp_orders ADD COLUMN abandoned_at timestamptz;
