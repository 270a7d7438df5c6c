-- The last step of which the facts for the ledger are kept, with those of the steps before (ADR 0080). A version without
-- facts leaves it behind the status: these facts are then made from the row and the record.
ALTER TABLE transfers ADD COLUMN facts_kept text;
CREATE INDEX IF NOT EXISTS transfers_without_facts ON transfers (updated_at)
  WHERE purpose = 'sweep' AND status IN ('broadcast', 'confirmed', 'failed') AND facts_kept IS DISTINCT FROM status;
