-- Comparison of the balances of deposit addresses with the books (decisions §51).
CREATE TABLE chain_readings (
  network text NOT NULL,
  asset text NOT NULL,
  due_at timestamptz NOT NULL,
  -- What was missing at the last reading, in the asset's smallest unit: a difference needs two readings.
  missing numeric(38, 0) NOT NULL DEFAULT 0,
  added_at timestamptz NOT NULL,
  -- when all addresses were last compared; null: never
  read_at timestamptz,
  PRIMARY KEY (network, asset)
);
CREATE INDEX IF NOT EXISTS differences_of_chains ON differences (source, unit) WHERE source LIKE 'chain:%';
