-- Merchants and their relationships to partners. Ids compare by bytes (collation "C").

-- A merchant is known by its e-mail address, of which only a keyed hash is kept here.
-- Whoever changes what a merchant or one of its relationships may do holds the merchant's row first.
CREATE TABLE merchants (
  id text COLLATE "C" PRIMARY KEY,
  email_mac bytea NOT NULL CONSTRAINT merchants_email UNIQUE,
  suspended text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);

-- email_sealed: the address as this partner gave it, encrypted. merchant_created_at: never changes,
-- copied so that reading a customer touches one row. version: grows with every change that is announced.
-- The partner comes second in its unique keys: were it first, a plan made while the table is small may read all of
-- a partner's rows to find one, and is kept while the table grows.
CREATE TABLE relationships (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchants,
  external_customer_id text COLLATE "C" NOT NULL,
  email_sealed text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'revoked')),
  granted text[] NOT NULL,
  version bigint NOT NULL DEFAULT 1,
  merchant_created_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT relationships_external_id UNIQUE (external_customer_id, partner_id),
  CONSTRAINT relationships_merchant UNIQUE (merchant_id, partner_id)
);
-- The partner's list, oldest first, by keyset: every page costs the same.
CREATE INDEX relationships_page ON relationships (partner_id, created_at, id) WHERE status = 'active';
