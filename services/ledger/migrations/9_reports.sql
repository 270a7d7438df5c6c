-- Reports of partners (decisions §48). A report lists postings from after_seq (exclusive) to through_seq (inclusive).
CREATE TABLE reports (
  report_id text PRIMARY KEY,
  partner_id text NOT NULL,
  type text NOT NULL,
  format text NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  as_of timestamptz NOT NULL,
  -- null: every active relationship of the partner
  partner_customer_id text,
  after_seq bigint NOT NULL,
  through_seq bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'ready', 'failed')),
  holder text,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  rows integer,
  bytes integer,
  parts integer,
  sha256 text,
  created_at timestamptz NOT NULL
);
CREATE INDEX reports_of_partner ON reports (partner_id, created_at);
CREATE INDEX reports_created ON reports (created_at);
CREATE INDEX reports_to_make ON reports (created_at) WHERE status IN ('queued', 'running');

-- The files, in parts that one message of the bus can hold.
CREATE TABLE report_parts (
  report_id text NOT NULL REFERENCES reports ON DELETE CASCADE,
  part integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (report_id, part)
);
ALTER TABLE report_parts ALTER COLUMN content SET STORAGE EXTERNAL;
