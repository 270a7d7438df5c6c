-- Lines of the bank without a counterpart, and processors' payouts that the bank has not received, are differences
-- (decisions §51).

-- new: its counterpart may still be found; unmatched: an open difference says that there is none; done: matched, or its
-- difference was closed.
ALTER TABLE bank_lines
  ADD COLUMN status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'unmatched', 'done'));
UPDATE bank_lines AS b SET status = 'done'
WHERE step IS NOT NULL OR EXISTS (SELECT FROM settlement_lines AS s WHERE s.bank_line_id = b.line_id);
CREATE INDEX IF NOT EXISTS bank_lines_new ON bank_lines (line_id) WHERE status = 'new';

-- open: its line of the bank is awaited; missing: an open difference says that it has not come; done: it has come, or the
-- difference was closed.
ALTER TABLE settlement_lines
  ADD COLUMN bank_status text NOT NULL DEFAULT 'open' CHECK (bank_status IN ('open', 'missing', 'done'));
UPDATE settlement_lines SET bank_status = 'done' WHERE bank_line_id IS NOT NULL;

-- A difference without a line of its source may name one of another source: a processor's, which the bank has not booked.
DROP INDEX differences_open_line;
CREATE UNIQUE INDEX IF NOT EXISTS differences_open_source_line ON differences (source, line_id)
  WHERE status = 'open' AND line_id IS NOT NULL AND kind <> 'missing_there';
