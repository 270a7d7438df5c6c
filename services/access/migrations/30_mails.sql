-- E-mail that waits to be sent. Its content is encrypted, and deleted when the mail ends: id, kind and times stay.
CREATE TABLE mails (
  mail_id text PRIMARY KEY,
  kind text NOT NULL,
  message_sealed text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Also the lease of the attempt under way: null once the mail has ended.
  next_attempt_at timestamptz,
  ended_at timestamptz,
  outcome text CHECK (outcome IN ('sent', 'refused', 'expired')),
  CONSTRAINT mails_ended CHECK ((ended_at IS NULL) = (message_sealed IS NOT NULL AND next_attempt_at IS NOT NULL))
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX mails_ended_at ON mails (ended_at) WHERE ended_at IS NOT NULL;
-- The alarm counts them every 10 s.
CREATE INDEX mails_unsent ON mails (ended_at) WHERE outcome <> 'sent';
