-- What the ledger keeps of relationships: fed by events and by asking onboarding on a miss. It says who may read which
-- balances.
CREATE TABLE relationships (
  partner_customer_id text PRIMARY KEY,
  partner_id text NOT NULL,
  merchant_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'revoked')),
  -- names of the capabilities that are granted
  grants text[] NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX relationships_by_merchant ON relationships (merchant_id);

-- Authenticates the cursors of lists. A cursor grants nothing: every statement has the caller in its WHERE.
CREATE TABLE cursor_key (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key bytea NOT NULL
);
INSERT INTO cursor_key (key) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
