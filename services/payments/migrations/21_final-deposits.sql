-- Blocks up to this number were asked for a last time, because counted deposits are in them; null before the first.
ALTER TABLE chain_positions ADD COLUMN final_number bigint;
