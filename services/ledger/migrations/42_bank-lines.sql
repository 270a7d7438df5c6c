-- Lines of the bank's statements (decisions §51), as the bank states them, without the other party's name. What was imported
-- is never changed.
CREATE TABLE bank_lines (
  line_id text COLLATE "C" PRIMARY KEY,
  booked_at timestamptz NOT NULL,
  -- in the currency's minor unit; a credit is positive, a debit negative
  amount numeric(38, 0) NOT NULL CHECK (amount <> 0),
  currency text NOT NULL,
  -- the end-to-end id, else the remittance information
  reference text,
  -- why a payment came back, where the bank states it
  return_reason text,
  -- the payout that the reference names; null: it names none
  payout_id text,
  imported_at timestamptz NOT NULL,
  -- the step of the payout that the line has brought about; null: it is not matched with a payout
  step text CHECK (step IN ('settled', 'returned')),
  matched_at timestamptz,
  CONSTRAINT bank_lines_matched CHECK (
    (step IS NULL) = (matched_at IS NULL) AND (step IS NULL OR payout_id IS NOT NULL))
);
-- A payout takes each step by one line.
CREATE UNIQUE INDEX bank_lines_step ON bank_lines (payout_id, step) WHERE step IS NOT NULL;
CREATE INDEX bank_lines_open ON bank_lines (booked_at, line_id) WHERE payout_id IS NOT NULL AND step IS NULL;
