-- A write-off is an adjustment that the platform bears: from `cost:loss`, not from `suspense` (decisions §48).
ALTER TABLE adjustments ADD COLUMN is_write_off boolean NOT NULL DEFAULT false;
ALTER TABLE adjustments ADD CONSTRAINT adjustments_write_off CHECK (NOT is_write_off OR amount > 0) NOT VALID;
CREATE INDEX IF NOT EXISTS adjustments_write_offs ON adjustments (created_at, adjustment_id COLLATE "C") WHERE is_write_off;
