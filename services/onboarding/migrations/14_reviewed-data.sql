-- What the data of a relationship is compared with when its case comes back. baseline_sealed: a copy of data_sealed as it
-- was when staff decided on the case, or, before the first decision, when it was changed under review; baseline_at: as of
-- when it is. Null for a case that was never decided, and for one that was decided before this migration.
ALTER TABLE submissions ADD COLUMN baseline_sealed text, ADD COLUMN baseline_at timestamptz;
