-- Attempts in one table a day (UTC), so that old ones leave by dropping a table. What was there becomes the first
-- partition, as it is: it is read once, to check its bound, and not copied. Until this is committed, writers wait.
ALTER TABLE attempts RENAME TO attempts_before;
ALTER INDEX attempts_pkey RENAME TO attempts_before_pkey;

CREATE TABLE attempts (
  delivery_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  status_code smallint,
  latency_ms integer NOT NULL,
  error text,
  response_body text,
  PRIMARY KEY (delivery_id, at)
) PARTITION BY RANGE (at);

-- Takes what has no day of its own, so that nothing is lost while days are missing.
CREATE TABLE attempts_other PARTITION OF attempts DEFAULT;

DO $$
BEGIN
  EXECUTE format(
    'ALTER TABLE attempts ATTACH PARTITION attempts_before FOR VALUES FROM (MINVALUE) TO (%L)',
    (SELECT (date_trunc('day', greatest(max(at), now()), 'UTC') + interval '24 hours')::text FROM attempts_before));
END $$;

-- Gives a day its table, and moves there what the default partition took of it. Safe on several replicas: one works,
-- the others leave it to that one. Writers wait for the few milliseconds that it takes: one that had chosen the default
-- partition already would find that it takes the day no longer. Returns whether the day is new.
CREATE FUNCTION open_attempts_day(wanted date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text := 'attempts_' || to_char(wanted, 'YYYYMMDD');
  begins timestamptz := wanted::timestamp AT TIME ZONE 'UTC';
  ends timestamptz := (wanted + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(name) IS NOT NULL OR NOT pg_try_advisory_xact_lock(hashtext('attempts by day')) THEN
    RETURN false;
  END IF;
  PERFORM set_config('lock_timeout', '1s', true);
  LOCK TABLE ONLY attempts IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE attempts_other IN ACCESS EXCLUSIVE MODE;
  IF to_regclass(name) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE attempts INCLUDING ALL)', name);
  EXECUTE format(
    'WITH moved AS (DELETE FROM attempts_other WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
    begins, ends, name);
  EXECUTE format('ALTER TABLE attempts ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, begins, ends);
  RETURN true;
EXCEPTION
  -- The first partition reaches over this day.
  WHEN invalid_object_definition THEN
    RETURN false;
END $$;

-- Drops one partition that ended before a time, and tells its name; null when there is none. Dropping locks everybody
-- out of attempts for a moment: it waits for its turn half a second at most, and the next round tries again.
CREATE FUNCTION drop_attempts_before(oldest timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  doomed text;
BEGIN
  SELECT relname INTO doomed
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'attempts'::regclass
    AND (regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'TO \(''([^'']+)''\)'))[1]::timestamptz <= oldest
  ORDER BY relname LIMIT 1;
  IF doomed IS NULL OR NOT pg_try_advisory_xact_lock(hashtext('attempts by day')) THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('lock_timeout', '500ms', true);
  EXECUTE format('DROP TABLE IF EXISTS %I', doomed);
  RETURN doomed;
END $$;
