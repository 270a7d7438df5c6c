-- The state machine of a refund (docs/REFUNDS.md). Nothing was ever written to the table before.
DROP TABLE refunds;
CREATE TABLE refunds (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  order_key bigint NOT NULL,
  state text NOT NULL
    CHECK (state IN ('requested', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  description text,
  order_lines jsonb,
  idempotency_key text NOT NULL,
  -- what the order was when the refund was judged; null while it is only requested
  partner_customer_id text,
  order_id text,
  currency text,
  processor text,
  processor_order_id text,
  service_fee_payer text CHECK (service_fee_payer IN ('customer', 'merchant')),
  max_refundable_cents bigint,
  refunded_before_cents bigint,
  processor_refund_id text,
  -- when the reconciler looks at it, and how often it has
  due_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  CHECK (state = 'requested' OR processor_order_id IS NOT NULL)
);
CREATE INDEX refunds_by_order ON refunds (partner_id, order_key, created_at);
-- One refund at a time per order.
CREATE UNIQUE INDEX refunds_open ON refunds (partner_id, order_key)
  WHERE state IN ('requested', 'sent', 'unknown', 'succeeded');
CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL;
