-- How far a merchant is above the chargeback threshold, as last emitted; null below it. A release that does not know the
-- column leaves it as it is, and the next check tells other services again.
ALTER TABLE dispute_standings ADD COLUMN measure jsonb;
