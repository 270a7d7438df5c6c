-- What ends a session or a link finds it by what opened it and by whose it is.
CREATE INDEX IF NOT EXISTS sessions_by_origin
  ON sessions ((CASE kind WHEN 'staff' THEN coalesce(origin, subject) ELSE origin END)) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS sessions_by_subject ON sessions (kind, subject) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS portal_links_by_origin ON portal_links (origin) WHERE used_at IS NULL AND ended_at IS NULL;
CREATE INDEX IF NOT EXISTS portal_links_by_owner ON portal_links (owner_kind, owner_id)
  WHERE used_at IS NULL AND ended_at IS NULL;
CREATE INDEX IF NOT EXISTS merchant_api_keys_by_id ON merchant_api_keys (key_id);
