-- Named keys of the operator API: keyed hashes only, found by them. A revoked one stays, for the record; its revision
-- tells every replica to forget it.
CREATE TABLE staff_keys (
  staff_key_id text PRIMARY KEY,
  key_mac text NOT NULL UNIQUE,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'finance', 'admin')),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revision bigint
);
CREATE INDEX staff_keys_live ON staff_keys (created_at, staff_key_id) WHERE revoked_at IS NULL;
CREATE INDEX staff_keys_revision ON staff_keys (revision) WHERE revision IS NOT NULL;
