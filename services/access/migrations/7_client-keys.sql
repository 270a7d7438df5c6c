-- Clients may authenticate by assertions that their own keys sign (RFC 7523). The public keys of a client: a JSON array
-- of {credential_id, jwk}.
ALTER TABLE clients ADD COLUMN keys jsonb NOT NULL DEFAULT '[]';

-- Assertions that have been used, until they expire: each counts once, on whichever replica.
CREATE TABLE client_assertions (
  client_id text NOT NULL REFERENCES clients,
  jti_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, jti_hash)
);
CREATE INDEX client_assertions_expiry ON client_assertions (expires_at);
