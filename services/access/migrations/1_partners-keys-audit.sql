-- What the gateway itself keeps: who may call, the keys that sign tokens, and what staff did.

-- One row, counted up in the transaction of every change of partners, clients or signing keys. Its lock orders those
-- changes, so that a replica that has seen a revision has seen everything before it.
CREATE TABLE registry (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL DEFAULT 0
);
INSERT INTO registry DEFAULT VALUES;

CREATE TABLE partners (
  partner_id text PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  scopes text[] NOT NULL,
  default_capabilities text[] NOT NULL,
  created_at timestamptz NOT NULL,
  revision bigint NOT NULL
);
CREATE INDEX partners_created ON partners (created_at, partner_id);
CREATE INDEX partners_revision ON partners (revision);

CREATE TABLE clients (
  client_id text PRIMARY KEY,
  partner_id text NOT NULL REFERENCES partners,
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  revision bigint NOT NULL
);
CREATE INDEX clients_partner ON clients (partner_id, created_at, client_id);
CREATE INDEX clients_revision ON clients (revision);

-- Keyed hashes only. At most two rows of a client are live: the newest, and the one before it until it expires.
CREATE TABLE client_secrets (
  client_id text NOT NULL REFERENCES clients,
  secret_mac text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (client_id, secret_mac)
);

-- The newest key whose signs_from has come signs; the private part is sealed.
CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  private_sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  signs_from timestamptz NOT NULL
);

CREATE TABLE audit_entries (
  entry_id text PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  target text,
  before jsonb,
  after jsonb,
  request_id text NOT NULL UNIQUE
);
CREATE INDEX audit_entries_at ON audit_entries (at, entry_id);
