-- Facts that the ledger has received, and how far it has compared them with their sources (ADR 0080).

-- seq: that of the fact's event at its source. digest: of the fact's text, as the source computes it.
CREATE TABLE received_facts (
  fact_id text PRIMARY KEY,
  service text NOT NULL,
  seq bigint NOT NULL,
  digest text NOT NULL
);
CREATE INDEX received_facts_window ON received_facts (service, seq);

-- One row for each source. through_seq: compared up to there; before_seq: where the comparison before ended. swept_seq: the
-- facts between there and through_seq have been compared again, newest first.
CREATE TABLE fact_comparisons (
  service text PRIMARY KEY,
  before_seq bigint NOT NULL DEFAULT 0,
  through_seq bigint NOT NULL DEFAULT 0,
  swept_seq bigint NOT NULL DEFAULT 0,
  origin text,
  compared_at timestamptz,
  due_at timestamptz NOT NULL,
  holder text,
  lease_until timestamptz NOT NULL
);

-- absent: the books have a fact that its source has not. differs: the source has it with other content. refused: the books
-- do not take it. A row is deleted when source and books agree again; accepted_at: staff have decided on it.
CREATE TABLE fact_differences (
  fact_id text PRIMARY KEY,
  service text NOT NULL,
  seq bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('absent', 'differs', 'refused')),
  reason text NOT NULL,
  found_at timestamptz NOT NULL,
  accepted_at timestamptz,
  note text
);
CREATE INDEX fact_differences_open ON fact_differences (found_at, fact_id) WHERE accepted_at IS NULL;
