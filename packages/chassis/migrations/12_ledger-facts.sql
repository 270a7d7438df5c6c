-- The facts that this service's events have carried for the ledger, written with their events and kept permanently: the
-- ledger compares them with its own (ADR 0080). seq: that of the event.
CREATE TABLE ledger_facts (
  fact_id text PRIMARY KEY,
  seq bigint NOT NULL,
  fact jsonb NOT NULL
);
CREATE INDEX ledger_facts_window ON ledger_facts (seq);
