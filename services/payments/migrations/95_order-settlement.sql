-- Where receipts of crypto orders are booked (decisions §52): in their asset, or converted into the currency of the order's
-- price. Orders of a version before keep the asset. Each constraint holds for new rows: every older row has the default.

-- Null: a version from before this could be chosen. It keeps the asset, also where it uses the merchants' choices, which may
-- have been stored long ago.
ALTER TABLE price_plan_versions ADD COLUMN IF NOT EXISTS settlement text;
ALTER TABLE price_plan_versions
  ADD CONSTRAINT price_plan_versions_settlement CHECK (settlement IN ('asset', 'order_currency')) NOT VALID;

ALTER TABLE crypto_orders ADD COLUMN IF NOT EXISTS settlement text NOT NULL DEFAULT 'asset';
ALTER TABLE crypto_orders
  ADD CONSTRAINT crypto_orders_settlement CHECK (settlement IN ('asset', 'order_currency')) NOT VALID;

-- What of a deposit was converted, as the books have it: in its asset, and in the minor unit of the order's currency. A version
-- before leaves both as they are.
ALTER TABLE crypto_deposits
  ADD COLUMN IF NOT EXISTS settled_amount numeric NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS settled_cents bigint NOT NULL DEFAULT 0;
ALTER TABLE crypto_deposits
  ADD CONSTRAINT crypto_deposits_settled CHECK (settled_amount >= 0 AND settled_cents >= 0) NOT VALID;
