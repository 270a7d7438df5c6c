-- Service fees of crypto orders (decisions §52). Orders of a version before have no fee. Each constraint holds for new rows:
-- every older row has the default.
ALTER TABLE crypto_orders
  ADD COLUMN IF NOT EXISTS price_plan_version_id text,
  -- of the amount due, in the asset
  ADD COLUMN IF NOT EXISTS service_fee numeric NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS service_fee_percent numeric NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS service_fee_payer text NOT NULL DEFAULT 'merchant';
ALTER TABLE crypto_orders
  ADD CONSTRAINT crypto_orders_service_fee CHECK (service_fee BETWEEN 0 AND amount) NOT VALID;

-- The fee of what is applied of a deposit, as the books have it. A version before leaves it as it is.
ALTER TABLE crypto_deposits ADD COLUMN IF NOT EXISTS service_fee numeric NOT NULL DEFAULT 0;
ALTER TABLE crypto_deposits
  ADD CONSTRAINT crypto_deposits_service_fee CHECK (service_fee >= 0) NOT VALID;
