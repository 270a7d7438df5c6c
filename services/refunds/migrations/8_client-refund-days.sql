-- What each client has refunded in a UTC day, by currency, for the limit by day (docs/REFUNDS.md). Refunds that failed
-- and those made outside the API do not count.
CREATE TABLE client_refund_days (
  partner_id text NOT NULL,
  client_id text NOT NULL,
  currency text NOT NULL,
  day date NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  PRIMARY KEY (partner_id, client_id, currency, day)
);
-- Where a refund is counted; null: nowhere.
ALTER TABLE refunds ADD COLUMN client_id text, ADD COLUMN counted_on date;
