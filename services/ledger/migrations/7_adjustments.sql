-- Corrections by staff (decisions §48), with their reasons. The id is the source of the posting, which has the numbers too.
CREATE TABLE adjustments (
  adjustment_id text PRIMARY KEY,
  owner_id text NOT NULL,
  unit text NOT NULL,
  -- signed, in the unit's smallest part
  amount numeric(38, 0) NOT NULL CHECK (amount <> 0),
  reason text NOT NULL,
  created_at timestamptz NOT NULL
);
-- Whether a partner is known.
CREATE INDEX IF NOT EXISTS relationships_by_partner ON relationships (partner_id);
