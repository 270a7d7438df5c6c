-- Refunds of fiat orders. One row a refund; its own id is the processor's idempotency key.
CREATE TABLE refunds (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  order_key bigint NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  created_at timestamptz NOT NULL,
  completed_at timestamptz
);
CREATE INDEX refunds_by_order ON refunds (partner_id, order_key, created_at);
