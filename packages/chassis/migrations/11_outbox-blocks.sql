-- Events in blocks of sequences, so that old ones leave by dropping a table (ADR 0056). What was there becomes the first
-- block as it is; nothing is copied, and nothing read where preparations/11_outbox-blocks.sql has run. The names, the
-- sequence and the columns stay as the version before knows them.
--
-- The view was for replicas of before 0.1.0.
DROP VIEW outbox;
DROP FUNCTION outbox_of_the_version_before;

ALTER TABLE outbox_events RENAME TO outbox_events_before;
ALTER INDEX outbox_events_pkey RENAME TO outbox_events_before_pkey;

CREATE TABLE outbox_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  subject text NOT NULL,
  payload text NOT NULL,
  traceparent text,
  created_at timestamptz NOT NULL,
  -- Read by the version before.
  published_at timestamptz,
  stream_seq bigint
) PARTITION BY RANGE (seq);

-- Takes what no block does: the first events after the sequence was moved ahead (outbox_origin).
CREATE TABLE outbox_events_other PARTITION OF outbox_events DEFAULT;

DO $$
DECLARE
  given bigint := pg_sequence_last_value(pg_get_serial_sequence('outbox_events_before', 'seq'));
  bound bigint;
BEGIN
  SELECT (regexp_match(pg_get_constraintdef(oid), '< ''?(\d+)'))[1]::bigint INTO bound
  FROM pg_constraint WHERE conrelid = 'outbox_events_before'::regclass AND conname = 'outbox_events_first_block';
  ALTER TABLE outbox_events_before ALTER seq DROP IDENTITY;
  EXECUTE format('ALTER TABLE outbox_events ATTACH PARTITION outbox_events_before FOR VALUES FROM (MINVALUE) TO (%s)',
    coalesce(bound, coalesce(given, 0) + 100000000));
  ALTER TABLE outbox_events_before DROP CONSTRAINT IF EXISTS outbox_events_first_block;
  IF given IS NOT NULL THEN
    PERFORM setval(pg_get_serial_sequence('outbox_events', 'seq'), given);
  END IF;
END $$;

-- The tables of outbox_events. begins is null for the first block, both ends are null for outbox_events_other.
CREATE VIEW outbox_blocks AS
  SELECT relname AS name,
    (regexp_match(pg_get_expr(relpartbound, oid), 'FROM \(''?(\d+)'))[1]::bigint AS begins,
    (regexp_match(pg_get_expr(relpartbound, oid), 'TO \(''?(\d+)'))[1]::bigint AS ends
  FROM pg_inherits JOIN pg_class ON oid = inhrelid
  WHERE inhparent = 'outbox_events'::regclass;

-- The last sequence that was given.
CREATE FUNCTION outbox_given() RETURNS bigint LANGUAGE sql AS $$
  SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox_events', 'seq')), 0)
$$;

-- All events below it are published, in batches that were deleted because they are past their retention. Batches are in
-- the order of sequences, but for events that were committed later than their neighbours.
CREATE FUNCTION outbox_past() RETURNS bigint LANGUAGE sql AS $$
  SELECT least(
    outbox_given() + 1,
    (SELECT min(seq) FROM outbox_unpublished),
    (SELECT min(seqs[1]) FROM (SELECT seqs FROM outbox_published ORDER BY batch LIMIT 1000) AS oldest))
$$;

-- Opens a block ahead of the one that is written, unless there is one. It begins beyond what may be in
-- outbox_events_other, and locks nobody out who appends. Returns whether it did.
CREATE FUNCTION open_outbox_block(size bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  newest record;
  begins bigint;
  name text;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('outbox blocks')) THEN
    RETURN false;
  END IF;
  SELECT max(b.begins) AS begins, max(b.ends) AS ends INTO newest FROM outbox_blocks b;
  IF outbox_given() < newest.begins THEN
    RETURN false;
  END IF;
  begins := CASE WHEN outbox_given() < newest.ends THEN newest.ends ELSE outbox_given() + size END;
  name := 'outbox_events_' || begins;
  PERFORM set_config('lock_timeout', '1s', true);
  EXECUTE format('CREATE TABLE %I (LIKE outbox_events INCLUDING ALL EXCLUDING IDENTITY)', name);
  EXECUTE format('ALTER TABLE outbox_events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, begins, begins + size);
  RETURN true;
END $$;

CREATE FUNCTION outbox_block_is_past(block text, ends bigint, before timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  newest timestamptz;
BEGIN
  EXECUTE format('SELECT created_at FROM %I ORDER BY seq DESC LIMIT 1', block) INTO newest;
  RETURN ends <= outbox_past() AND (newest < before) IS NOT FALSE;
END $$;

-- Drops the first block if all of it is past its retention, and returns its name; null where it is not. That locks
-- everybody out of the outbox for a moment: it waits for its turn half a second at most, and does not begin where
-- somebody reads or vacuums the block for long; the next round tries again.
CREATE FUNCTION drop_outbox_block(before timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  doomed record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('outbox blocks')) THEN
    RETURN NULL;
  END IF;
  SELECT name, ends INTO doomed FROM outbox_blocks WHERE ends IS NOT NULL ORDER BY ends LIMIT 1;
  IF NOT outbox_block_is_past(doomed.name, doomed.ends, before) THEN
    RETURN NULL;
  END IF;
  -- A look ahead, whose locks are given back: those who append must not wait for a dump that reads the block.
  PERFORM set_config('lock_timeout', '100ms', true);
  BEGIN
    EXECUTE format('LOCK TABLE %I, outbox_events_other IN ACCESS EXCLUSIVE MODE', doomed.name);
    RAISE no_data_found;
  EXCEPTION WHEN no_data_found THEN
  END;
  PERFORM set_config('lock_timeout', '500ms', true);
  LOCK TABLE ONLY outbox_events IN ACCESS EXCLUSIVE MODE;
  -- Once more, for an event that got its sequence before and is committed by now.
  IF NOT outbox_block_is_past(doomed.name, doomed.ends, before) THEN
    RETURN NULL;
  END IF;
  EXECUTE format('DROP TABLE %I', doomed.name);
  RETURN doomed.name;
END $$;
