-- The gateway reads the revoked tokens of a client together.
CREATE INDEX IF NOT EXISTS revoked_tokens_by_client ON revoked_tokens (client_id);
