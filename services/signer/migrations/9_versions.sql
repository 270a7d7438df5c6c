-- A transfer that does not confirm is signed again with a higher fee (ADR 0087). `signed` is then its newest version, and
-- `earlier` has the others, oldest first, as a JSON list: the chain takes one of them.
ALTER TABLE transfers
  ADD COLUMN earlier text NOT NULL DEFAULT '[]',
  -- When it was found to wait although no further version can be signed; null: it does not.
  ADD COLUMN stuck_at timestamptz,
  -- An older version of this service follows the newest version alone, and would call a transfer failed of which an earlier
  -- version was mined. Its end is only stored by a statement that says that all were looked at.
  ADD COLUMN all_versions boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT transfers_all_versions
    CHECK (earlier = '[]' OR status NOT IN ('confirmed', 'failed') OR all_versions) NOT VALID;
CREATE INDEX IF NOT EXISTS transfers_stuck ON transfers (network) WHERE stuck_at IS NOT NULL;
