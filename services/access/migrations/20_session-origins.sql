-- What opened a session or made a link, so that both end with it: an API key's id, or the staff key, the person or the
-- operator key as the audit log names it.
ALTER TABLE portal_links
  ADD COLUMN origin text,
  ADD COLUMN ended_at timestamptz;

-- The default is for sessions that exist and for those that the previous version opens meanwhile. last_seen_at is coarse.
ALTER TABLE sessions
  ADD COLUMN session_id text NOT NULL DEFAULT 'ses_0' || substr(md5(gen_random_uuid()::text), 1, 25),
  ADD COLUMN origin text,
  ADD COLUMN last_seen_at timestamptz,
  ADD COLUMN end_reason text;
CREATE UNIQUE INDEX IF NOT EXISTS sessions_id ON sessions (session_id);
CREATE INDEX IF NOT EXISTS sessions_live ON sessions (created_at, session_id) WHERE ended_at IS NULL;
