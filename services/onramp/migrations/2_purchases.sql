-- The first version kept nothing in it.
DROP TABLE onramp_orders;

CREATE TABLE onramp_orders (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  merchant_id text NOT NULL,
  order_id text NOT NULL,
  -- key of the adapter
  provider text NOT NULL,
  -- null until the provider has answered
  provider_order_id text,
  status text NOT NULL,
  -- the provider's time of its status: an older state never replaces a newer one
  changed_at timestamptz NOT NULL,
  -- null: open
  outcome text CHECK (outcome IN ('success', 'failure')),
  fiat text NOT NULL,
  fiat_amount text,
  crypto text NOT NULL,
  crypto_amount text NOT NULL,
  blockchain text NOT NULL,
  address text NOT NULL,
  return_url text,
  checkout_url text,
  order_status_url text,
  order_type text,
  transaction_hash text,
  -- when the invoice would have expired without this order
  invoice_expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  extend_at timestamptz NOT NULL,
  cap_at timestamptz NOT NULL,
  extended_at timestamptz,
  -- what payments has still to be asked
  todo text CHECK (todo IN ('release', 'cancel', 'expire')),
  -- when something is to be done next, and when a silent provider is to be asked; null: never
  due_at timestamptz,
  poll_at timestamptz
);

-- One live order an invoice; a successful one stays in its place.
CREATE UNIQUE INDEX onramp_orders_live ON onramp_orders (order_id) WHERE outcome IS NULL OR outcome = 'success';
CREATE INDEX onramp_orders_by_invoice ON onramp_orders (partner_id, order_id, created_at DESC);
CREATE UNIQUE INDEX onramp_orders_by_provider ON onramp_orders (provider, provider_order_id);
CREATE INDEX onramp_orders_due ON onramp_orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX onramp_orders_silent ON onramp_orders (poll_at) WHERE poll_at IS NOT NULL;
