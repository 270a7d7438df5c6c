-- What staff work off, of all merchants: payouts in the order of their schedule, and payers that are blocked now.
CREATE INDEX IF NOT EXISTS payouts_queue ON payouts (status, scheduled_for, id);
CREATE INDEX IF NOT EXISTS chargeback_cases_of_all ON chargeback_cases (created_at, id) WHERE status = 'active';

-- What staff look for is a reference, whoever's it is.
CREATE INDEX IF NOT EXISTS crypto_orders_by_reference ON crypto_orders (reference, id);
CREATE INDEX IF NOT EXISTS fiat_orders_by_reference ON fiat_orders (merchant_reference, id)
  WHERE merchant_reference IS NOT NULL;
