-- Bounds the sequences of the table that the migration makes the first block, and validates the bound while others
-- write: attaching the table then reads none of it. A bound that the sequence has passed since, as after a promotion, is
-- replaced.
DO $$
DECLARE
  given bigint;
  bound bigint;
BEGIN
  IF to_regclass('outbox_events') IS NULL THEN
    RETURN;
  END IF;
  given := coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox_events', 'seq')), 0);
  SELECT (regexp_match(pg_get_constraintdef(oid), '< ''?(\d+)'))[1]::bigint INTO bound
  FROM pg_constraint WHERE conrelid = 'outbox_events'::regclass AND conname = 'outbox_events_first_block';
  IF bound IS NULL OR bound <= given THEN
    EXECUTE format(
      'ALTER TABLE outbox_events DROP CONSTRAINT IF EXISTS outbox_events_first_block,
         ADD CONSTRAINT outbox_events_first_block CHECK (seq < %s) NOT VALID', given + 100000000);
    COMMIT;
  END IF;
  ALTER TABLE outbox_events VALIDATE CONSTRAINT outbox_events_first_block;
END $$;
