-- Notices by e-mail (decisions §58): the kinds that a person has switched off, and when each was queued last about a
-- merchant. The rows of an hour are kept.
ALTER TABLE people ADD COLUMN muted_notices text[] NOT NULL DEFAULT '{}';

CREATE TABLE notices (
  person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
  kind text NOT NULL,
  subject text NOT NULL,
  queued_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, kind, subject)
);
CREATE INDEX notices_queued ON notices (queued_at);
