-- Since when no attempt begins at a destination; null where it is active.
ALTER TABLE destinations ADD COLUMN disabled_at timestamptz;
CREATE INDEX IF NOT EXISTS destinations_disabled ON destinations (id) WHERE disabled_at IS NOT NULL;
