-- How far the merchant is above the chargeback threshold, as payments told it last; null below it, and where payments is
-- of a release that does not tell.
ALTER TABLE merchants ADD COLUMN disputes_measure jsonb;
