-- The day from which a processor's reports are compared with the books: what happened before is in no report (decisions §51).
CREATE TABLE settlement_sources (
  processor text PRIMARY KEY,
  begins_on date NOT NULL,
  -- the import stated the day; it does not move
  stated boolean NOT NULL,
  -- lines that were imported until then are of the first report: what they match may move the day back
  first_imported_at timestamptz NOT NULL
);
INSERT INTO settlement_sources (processor, begins_on, stated, first_imported_at)
SELECT processor, min(available_on), false, min(imported_at) FROM settlement_lines GROUP BY processor;
