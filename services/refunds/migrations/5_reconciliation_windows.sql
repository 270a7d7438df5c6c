ALTER TABLE reconciliation_runs
  -- the stretches of time that the list is still read in, the one under way first; null: read as one
  ADD COLUMN windows jsonb,
  -- what the processor does not tell, however often it is asked
  ADD COLUMN left_out jsonb NOT NULL DEFAULT '[]';
