-- What the signer has been asked to move, and how far it is. What may be signed is decided by this table; what was signed
-- stands in record.records, which the signer's role cannot rewrite (decisions §20).
CREATE TABLE transfers (
  id text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('refund', 'sweep')),
  network text NOT NULL,
  asset text NOT NULL,
  to_address text NOT NULL,
  -- Of a refund: its order, the number of the order's address, and what leaves that address.
  order_id text,
  key_index bigint,
  amount text,
  -- JSON: the deposits that it is paid from, where the network has unspent outputs.
  coins text NOT NULL DEFAULT '[]',
  status text NOT NULL CHECK (status IN ('requested', 'signed', 'broadcast', 'confirmed', 'failed')),
  failure text,
  -- JSON of the signed transfer; there before it is broadcast.
  signed text,
  -- What the network took, once it is mined; before, what it takes at most.
  network_fee text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- When the next step is due; null at the end. Claiming moves it on.
  due_at timestamptz,
  CONSTRAINT transfers_refund CHECK (
    (purpose = 'refund') = (order_id IS NOT NULL AND key_index IS NOT NULL AND amount IS NOT NULL)
  ),
  CONSTRAINT transfers_signed CHECK (status IN ('requested', 'failed') OR signed IS NOT NULL)
);
-- An order is paid back once, and an address is emptied for one order.
CREATE UNIQUE INDEX transfers_order ON transfers (order_id) WHERE status <> 'failed';
CREATE UNIQUE INDEX transfers_key ON transfers (network, key_index) WHERE status <> 'failed';
-- The next transfer is signed when the one before is sent: until then a node does not know what that one uses.
CREATE UNIQUE INDEX transfers_unsent ON transfers (network) WHERE status = 'signed';
CREATE INDEX transfers_due ON transfers (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX transfers_outstanding ON transfers (network) WHERE status IN ('signed', 'broadcast');
