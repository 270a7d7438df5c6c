-- What a settlement line moved in the currency of its order, where the processor has converted it (decisions §51): the amount
-- in minor units, signed as gross_cents, and the rate as the processor states it (null: not stated).
ALTER TABLE settlement_lines
  ADD COLUMN original_cents bigint,
  ADD COLUMN original_currency text,
  ADD COLUMN original_rate numeric,
  ADD CONSTRAINT settlement_lines_original CHECK (
    (original_cents IS NULL) = (original_currency IS NULL) AND (original_rate IS NULL OR original_currency IS NOT NULL)
  ) NOT VALID;
