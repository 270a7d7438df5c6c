-- Onramp orders: one live order an invoice.
CREATE TABLE onramp_orders (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  order_id text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX onramp_orders_by_invoice ON onramp_orders (partner_id, order_id);
