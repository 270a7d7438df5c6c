-- Indexes with which the books are read (decisions §48). They belong to the schema `books`, so that this file may be run
-- again, by the ledger or by the server's superuser, whichever comes first (docs/OPERATIONS.md, "The ledger").
DO $migration$
BEGIN
  IF to_regclass('books.entries_by_kind') IS NOT NULL THEN
    RETURN;
  END IF;
  -- A page of an account's entries, of one kind or merged from all of them: one index serves both.
  CREATE INDEX entries_by_kind ON books.entries (account_id, kind, seq, line);
  -- Turns an instant of recorded_at into a place in the journal.
  CREATE INDEX journal_recorded ON books.journal (recorded_at, seq);
  CREATE INDEX journal_order_id ON books.journal (order_id) WHERE order_id IS NOT NULL;
  CREATE INDEX journal_order_key ON books.journal (order_key) WHERE order_key IS NOT NULL;
  CREATE INDEX journal_estimated ON books.journal (seq) WHERE estimated;
  -- What becomes available next in an account: its releases.
  CREATE INDEX scheduled_credits ON books.scheduled
    USING gin (jsonb_path_query_array(posting, '$.transfers[*].credit') jsonb_path_ops);
END
$migration$;
