-- Versions that are published before they come into force. effective_at: when that is, or was; null for one that came
-- into force when it was published. in_force: whether that time has come for it.
ALTER TABLE agreement_versions
  ADD COLUMN effective_at timestamptz,
  ADD COLUMN in_force boolean NOT NULL DEFAULT true;
CREATE INDEX IF NOT EXISTS agreement_versions_scheduled ON agreement_versions (effective_at, version) WHERE NOT in_force;
CREATE INDEX IF NOT EXISTS agreement_versions_upcoming ON agreement_versions (agreement_id, effective_at) WHERE NOT in_force;

-- An agreement whose first version is not in force yet has none. A release from before this one takes such an agreement
-- as required: publish none for later before every replica is of this release.
ALTER TABLE agreements ALTER COLUMN current_version DROP NOT NULL;
