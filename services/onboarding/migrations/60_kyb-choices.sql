-- The commercial choices of a relationship's verification data as staff approved them last: payments takes them as defaults
-- where the price plan says so (decisions §52). Null until an approval.
ALTER TABLE relationships
  ADD COLUMN IF NOT EXISTS fee_handling text,
  ADD COLUMN IF NOT EXISTS settlement_option text;
