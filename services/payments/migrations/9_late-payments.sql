-- Deposits that were counted after the end of their order: money that pays for nothing and that staff see to.
CREATE TABLE late_payments (
  id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES crypto_orders (id),
  network text NOT NULL,
  tx_id text NOT NULL,
  output_index integer NOT NULL,
  received_at timestamptz NOT NULL,
  FOREIGN KEY (network, tx_id, output_index) REFERENCES crypto_deposits,
  CONSTRAINT late_payments_deposit UNIQUE (network, tx_id, output_index)
);
CREATE INDEX late_payments_list ON late_payments (received_at, id);
