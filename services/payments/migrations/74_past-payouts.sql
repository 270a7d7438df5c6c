-- The ledger has taken payouts over (decisions §49). Those that the version before announced are handed to it: this is the
-- status that the ledger has confirmed. A replica of that version may still change one.
ALTER TABLE payouts ADD COLUMN IF NOT EXISTS confirmed_status text;
CREATE INDEX IF NOT EXISTS payouts_unconfirmed ON payouts (id) WHERE confirmed_status IS DISTINCT FROM status;
