-- Further steps of payouts (decisions §49). Every row that exists satisfies the constraint: it had a narrower one.
ALTER TABLE payouts
  DROP CONSTRAINT payouts_status_check,
  ADD CONSTRAINT payouts_status_check CHECK (status IN ('upcoming', 'sent', 'settled', 'cancelled', 'returned')) NOT VALID,
  ADD COLUMN settled_at timestamptz,
  ADD COLUMN returned_at timestamptz,
  -- stated by staff; the merchant and its partner read it
  ADD COLUMN return_reason text,
  -- the text that the receiver sees, and the id of the transfer at the bank or in the network
  ADD COLUMN reference text,
  ADD COLUMN tx_id text;
