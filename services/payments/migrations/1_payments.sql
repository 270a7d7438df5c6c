-- What payments keeps of relationships: fed by events and by asking onboarding on a miss.
CREATE TABLE relationships (
  partner_customer_id text PRIMARY KEY,
  partner_id text NOT NULL,
  merchant_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'revoked')),
  -- by capability name: {"enabled": …, "available": …, "reason": …}
  capabilities jsonb NOT NULL,
  version bigint NOT NULL
);

-- Blocks of derivation indices: a replica takes 32 at a time (store/indices.ts knows the size).
-- BIP-32 children and XRP destination tags end at 2^31 - 1.
CREATE SEQUENCE order_index_btc AS bigint INCREMENT BY 32 MINVALUE 1 MAXVALUE 2147483616 NO CYCLE;
CREATE SEQUENCE order_index_ltc AS bigint INCREMENT BY 32 MINVALUE 1 MAXVALUE 2147483616 NO CYCLE;
CREATE SEQUENCE order_index_eth AS bigint INCREMENT BY 32 MINVALUE 1 MAXVALUE 2147483616 NO CYCLE;
CREATE SEQUENCE order_index_sol AS bigint INCREMENT BY 32 MINVALUE 1 MAXVALUE 2147483616 NO CYCLE;
CREATE SEQUENCE order_index_xrp AS bigint INCREMENT BY 32 MINVALUE 1 MAXVALUE 2147483616 NO CYCLE;

CREATE TABLE crypto_orders (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  merchant_id text NOT NULL,
  reference text NOT NULL,
  network text NOT NULL,
  asset text NOT NULL,
  -- what is due, in the asset
  amount numeric NOT NULL CHECK (amount > 0),
  network_fee numeric,
  total_to_send numeric NOT NULL,
  currency text NOT NULL,
  fiat_amount text NOT NULL,
  -- the locked price of one whole unit of the asset in the currency, and when it was so
  rate numeric NOT NULL,
  rate_at timestamptz NOT NULL,
  derivation_index bigint NOT NULL,
  address text NOT NULL,
  -- what a deposit is recognised by: the address, or on SOL the order's reference key
  watch_address text NOT NULL,
  -- the payer's names, e-mail, phone and country: encrypted, bound to the order's id
  payer_sealed text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'underpaid', 'paid', 'expired', 'cancelled', 'refunded')),
  -- the sum of all counted deposits, in the asset
  received numeric NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT crypto_orders_reference UNIQUE (partner_customer_id, reference),
  CONSTRAINT crypto_orders_destination UNIQUE (watch_address, network)
);
CREATE INDEX crypto_orders_list ON crypto_orders (partner_customer_id, created_at DESC, id DESC);
CREATE INDEX crypto_orders_due ON crypto_orders (expires_at) WHERE status = 'pending';

-- Orders whose address the chain does not watch yet. A table of its own, for marking the order itself would
-- write all its index entries a second time.
CREATE TABLE unwatched_orders (
  order_id text PRIMARY KEY,
  -- '-infinity' until the chain refused it once
  due_at timestamptz NOT NULL
);

-- Every deposit that the chain ever reported for an order, once (decisions §9: by chain, transaction, output).
CREATE TABLE crypto_deposits (
  network text NOT NULL,
  tx_id text NOT NULL,
  output_index integer NOT NULL,
  order_id text NOT NULL REFERENCES crypto_orders (id),
  asset text NOT NULL,
  amount numeric NOT NULL CHECK (amount > 0),
  block_number bigint,
  confirmations integer NOT NULL,
  seen_at timestamptz NOT NULL,
  -- when it reached the chain's confirmation depth and was added to the order's received; null until then
  counted_at timestamptz,
  PRIMARY KEY (network, tx_id, output_index)
);
CREATE INDEX crypto_deposits_by_order ON crypto_deposits (order_id);

-- How far the chain's feed was read, and which replica reads it.
CREATE TABLE chain_feed (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0,
  holder text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO chain_feed DEFAULT VALUES;
