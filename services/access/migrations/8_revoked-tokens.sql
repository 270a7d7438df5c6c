-- Access tokens that their clients have revoked (RFC 7009), until they would have expired.
CREATE TABLE revoked_tokens (
  jti text PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients,
  expires_at timestamptz NOT NULL
);
CREATE INDEX revoked_tokens_expiry ON revoked_tokens (expires_at);
