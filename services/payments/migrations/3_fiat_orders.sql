-- Card orders (spec: Fiat order; decisions §10). Amounts in the currency's minor unit.
CREATE SEQUENCE fiat_order_key AS bigint MINVALUE 1001 NO CYCLE;

CREATE TABLE fiat_orders (
  id text PRIMARY KEY,
  order_key bigint NOT NULL DEFAULT nextval('fiat_order_key'),
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  merchant_id text NOT NULL,
  integration_id text NOT NULL REFERENCES integrations (id),
  kind text NOT NULL CHECK (kind IN ('order', 'payment_link')),
  status text NOT NULL
    CHECK (status IN ('pending', 'paid', 'completed', 'cancelled', 'expired', 'refunded', 'chargeback')),
  currency text NOT NULL,
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  amount_cents bigint NOT NULL,
  service_fee_cents bigint NOT NULL,
  service_fee_percent numeric NOT NULL,
  service_fee_payer text NOT NULL CHECK (service_fee_payer IN ('customer', 'merchant')),
  refunded_cents bigint NOT NULL DEFAULT 0,
  chargeback_cents bigint NOT NULL DEFAULT 0,
  merchant_reference text,
  processor text NOT NULL,
  -- null until the processor has opened the checkout
  processor_order_id text,
  processor_status text,
  order_url text,
  -- the payer's e-mail and IP: encrypted, bound to the order's id
  payer_sealed text,
  -- when the processor is asked if no notice came; null when it need not be
  poll_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  completed_at timestamptz,
  CONSTRAINT fiat_orders_key UNIQUE (order_key),
  CONSTRAINT fiat_orders_processor_order UNIQUE (processor, processor_order_id)
);
CREATE INDEX fiat_orders_list ON fiat_orders (partner_customer_id, created_at DESC, id DESC);
CREATE INDEX fiat_orders_poll ON fiat_orders (poll_at) WHERE poll_at IS NOT NULL;
