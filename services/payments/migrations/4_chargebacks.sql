-- Refunds that the processor has told of and that were passed on, once each.
CREATE TABLE fiat_refunds_seen (
  processor text NOT NULL,
  processor_refund_id text NOT NULL,
  order_id text NOT NULL REFERENCES fiat_orders (id),
  amount_cents bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (processor, processor_refund_id)
);
CREATE INDEX fiat_refunds_seen_by_order ON fiat_refunds_seen (order_id);

-- Disputes of card payments (spec: Chargeback record). Null is what the processor never said.
CREATE TABLE chargebacks (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  merchant_id text NOT NULL,
  order_id text NOT NULL REFERENCES fiat_orders (id),
  order_key bigint NOT NULL,
  processor text NOT NULL,
  dispute_id text NOT NULL,
  -- the order's total and currency, frozen when the dispute landed
  amount_cents bigint NOT NULL,
  currency text NOT NULL,
  fee_cents bigint,
  fee_currency text,
  dispute_amount_cents bigint,
  dispute_currency text,
  disputed_at timestamptz,
  -- keyed hash of the payer's IP, to count disputes of one address
  ip_mac bytea,
  created_at timestamptz NOT NULL,
  CONSTRAINT chargebacks_dispute UNIQUE (processor, dispute_id),
  CHECK ((dispute_amount_cents IS NULL) = (dispute_currency IS NULL))
);
CREATE INDEX chargebacks_list ON chargebacks (partner_customer_id, created_at DESC, id DESC);
CREATE INDEX chargebacks_by_order ON chargebacks (order_id);

-- Payers that may not pay a customer since a dispute (decisions §10). Values are kept masked and as a keyed hash.
CREATE TABLE chargeback_cases (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ip', 'email')),
  value_mac bytea NOT NULL,
  value_masked text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'lifted')),
  order_keys bigint[] NOT NULL,
  created_at timestamptz NOT NULL,
  lifted_at timestamptz
);
CREATE UNIQUE INDEX chargeback_cases_active ON chargeback_cases (partner_customer_id, kind, value_mac)
  WHERE status = 'active';
CREATE INDEX chargeback_cases_list ON chargeback_cases (partner_customer_id, created_at DESC, id DESC);
