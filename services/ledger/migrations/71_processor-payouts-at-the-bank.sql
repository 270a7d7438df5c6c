-- The bank's line of a processor's payout (decisions §51).
ALTER TABLE settlement_lines ADD COLUMN bank_line_id text UNIQUE REFERENCES bank_lines;
CREATE INDEX IF NOT EXISTS settlement_lines_in_transit ON settlement_lines (available_on)
  WHERE kind = 'payout' AND bank_line_id IS NULL;
