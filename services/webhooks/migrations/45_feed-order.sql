-- Gives each owner the position after its last one, and keeps other transactions from doing so until this one ends. A
-- position is therefore visible before a higher one exists (ADR 0099). Locks are taken in one order, so that batches with
-- several owners cannot deadlock, and there are 64: a batch with hundreds of owners must not fill the server's lock table.
CREATE FUNCTION next_feed_positions(owners text[]) RETURNS TABLE (feed_owner_id text, next_position bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('event feed'), locks.n)
  FROM (SELECT DISTINCT hashtext(o) & 63 AS n FROM unnest(owners) AS given (o) ORDER BY n) AS locks;
  -- A separate statement: its snapshot is taken after the locks, and so contains what their former holders have committed.
  RETURN QUERY SELECT o, coalesce((
    SELECT e.feed_position FROM events e WHERE e.owner_id = o AND e.feed_position IS NOT NULL
    ORDER BY e.owner_id DESC, e.feed_position DESC, e.event_id DESC LIMIT 1), 0) + 1
  FROM unnest(owners) AS given (o);
END $$;

-- Numbers what a replica of the version before writes: every partner's event is in the feed, whoever writes it.
CREATE FUNCTION number_feed_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT next_position INTO NEW.feed_position FROM next_feed_positions(ARRAY[NEW.owner_id]);
  RETURN NEW;
END $$;
CREATE TRIGGER number_feed_event BEFORE INSERT ON events FOR EACH ROW
WHEN (NEW.feed_position IS NULL AND NEW.owner_id LIKE 'prt\_%') EXECUTE FUNCTION number_feed_event();

ALTER TABLE events ALTER COLUMN feed_position DROP DEFAULT;
