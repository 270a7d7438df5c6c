-- The secret before a rotation, which signs beside the new one until this time; both null where there is none, as in every
-- row from before: none has to be validated.
ALTER TABLE destinations
  ADD COLUMN former_secret_sealed text,
  ADD COLUMN former_secret_until timestamptz,
  ADD CONSTRAINT destinations_former_secret CHECK ((former_secret_sealed IS NULL) = (former_secret_until IS NULL)) NOT VALID;
CREATE INDEX IF NOT EXISTS destinations_former_secret ON destinations (former_secret_until) WHERE former_secret_until IS NOT NULL;
