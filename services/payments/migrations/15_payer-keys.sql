-- Keys under which payers are encrypted, one a month (payers-2026-11), themselves sealed: deleting the row of a month
-- erases its payers, also in every backup that leaves this table out (docs/OPERATIONS.md, Backups).
CREATE TABLE data_keys (
  subject text COLLATE "C" PRIMARY KEY,
  key_sealed text NOT NULL,
  created_at timestamptz NOT NULL
);
