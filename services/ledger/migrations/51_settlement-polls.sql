-- Settlement reports that processors offer, and how far they are read (decisions §51).
CREATE TABLE settlement_reports (
  processor text PRIMARY KEY,
  -- where reading continues; null: at the beginning
  position text,
  -- false while pages of a poll are missing
  complete boolean NOT NULL,
  due_at timestamptz NOT NULL,
  -- when the report was last read to its end
  read_at timestamptz
);
