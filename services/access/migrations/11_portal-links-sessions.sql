-- Links to the portal and the sessions of screens. Of tokens only SHA-256 is kept.

-- used_at: a link opens one session.
CREATE TABLE portal_links (
  token_hash bytea PRIMARY KEY,
  owner_kind text NOT NULL CHECK (owner_kind IN ('partner', 'merchant')),
  owner_id text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX portal_links_expired ON portal_links (expires_at);

-- subject: the partner's or the merchant's id, or the member of staff as the audit log names it.
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('staff', 'partner', 'merchant')),
  subject text NOT NULL,
  role text CHECK (role IN ('viewer', 'reviewer', 'finance', 'admin')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT sessions_role CHECK ((kind = 'staff') = (role IS NOT NULL))
);
CREATE INDEX sessions_expired ON sessions (expires_at);
