-- Refunds of cancelled crypto orders that the signer sends (decisions §20), each step recorded before and after it is
-- asked for.
CREATE TABLE order_refunds (
  id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES crypto_orders (id),
  to_address text NOT NULL,
  -- What leaves the order's address: what it had received when the refund was asked for.
  amount numeric NOT NULL,
  -- What arrives and what the network takes, known once it is signed.
  sent_amount text,
  network_fee text,
  tx_id text,
  status text NOT NULL CHECK (status IN ('requested', 'signed', 'broadcast', 'confirmed', 'failed')),
  failure text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- When the signer is asked again; null at the end.
  due_at timestamptz
);
-- An order is paid back once.
CREATE UNIQUE INDEX order_refunds_order ON order_refunds (order_id) WHERE status <> 'failed';
CREATE INDEX order_refunds_of_order ON order_refunds (order_id, id);
CREATE INDEX order_refunds_due ON order_refunds (due_at) WHERE due_at IS NOT NULL;
