-- Payouts of an asset on a network (decisions §50). `currency` is then the unit, such as ETH/USDC, and the amount is in the
-- asset's smallest part. Every row that exists satisfies the constraint: each has cents, and none has an amount.
ALTER TABLE payouts
  ADD COLUMN amount numeric(38, 0) CHECK (amount > 0),
  ALTER COLUMN amount_cents DROP NOT NULL,
  ADD CONSTRAINT payouts_amount
    CHECK ((amount IS NULL) = (currency NOT LIKE '%/%') AND (amount_cents IS NULL) = (currency LIKE '%/%')) NOT VALID;
