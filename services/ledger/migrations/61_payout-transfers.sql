-- Payouts of crypto that the signer sends (decisions §50, ADR 0089).
ALTER TABLE payouts
  -- null: staff have not asked the signer
  ADD COLUMN transfer_status text
    CHECK (transfer_status IN ('requested', 'broadcast', 'confirmed', 'failed')),
  -- what the signer waits for, or why it failed
  ADD COLUMN transfer_problem text,
  -- when the signer is asked again
  ADD COLUMN transfer_due_at timestamptz,
  -- An older version of this service does not ask the signer before it cancels.
  ADD CONSTRAINT payouts_cancelled
    CHECK (status <> 'cancelled' OR transfer_status IS NULL OR transfer_status = 'failed') NOT VALID;
CREATE INDEX IF NOT EXISTS payouts_transfer_due ON payouts (transfer_due_at) WHERE transfer_due_at IS NOT NULL;
