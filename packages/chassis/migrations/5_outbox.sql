-- An event's row is written once. What is still to be published stands beside it in a narrow table: marking a published
-- row would copy its payload, for a column of the partial index changes (ADR 0056).
ALTER TABLE outbox RENAME TO outbox_events;
ALTER INDEX outbox_pkey RENAME TO outbox_events_pkey;
ALTER INDEX outbox_unpublished RENAME TO outbox_events_unpublished;

CREATE TABLE outbox_unpublished (seq bigint PRIMARY KEY);
INSERT INTO outbox_unpublished (seq) SELECT seq FROM outbox_events WHERE published_at IS NULL;
-- Its predicate would hold for every new row.
DROP INDEX outbox_events_unpublished;

-- One row for each batch that the stream acknowledged: what is published again when the stream loses its end, and what
-- is deleted after its retention.
CREATE TABLE outbox_published (
  batch bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  published_at timestamptz NOT NULL,
  last_stream_seq bigint NOT NULL,
  seqs bigint[] NOT NULL
);

-- For replicas of the version before this one, which read and write one table `outbox` while they are replaced: they
-- see all events, append, relay, and republish as before. What they publish is marked in the columns published_at and
-- stream_seq of outbox_events, as is what was published before this migration.
CREATE VIEW outbox AS
  SELECT e.seq, e.event_id, e.subject, e.payload, e.traceparent, e.created_at,
    NULL::timestamptz AS published_at, NULL::bigint AS stream_seq
  FROM outbox_unpublished u JOIN outbox_events e ON e.seq = u.seq
  UNION ALL
  -- created_at is never null, so the planner leaves this half out where published_at has to be. An event of a batch
  -- counts as the last of the stream: one too many is published again, and consumers remove it.
  SELECT e.seq, e.event_id, e.subject, e.payload, e.traceparent, e.created_at, e.created_at,
    coalesce(e.stream_seq, 9223372036854775807)
  FROM outbox_events e
  WHERE NOT EXISTS (SELECT FROM outbox_unpublished u WHERE u.seq = e.seq);

CREATE FUNCTION outbox_of_the_version_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH appended AS (
      INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
      VALUES (NEW.event_id, NEW.subject, NEW.payload, NEW.created_at, NEW.traceparent)
      RETURNING seq
    )
    INSERT INTO outbox_unpublished (seq) SELECT seq FROM appended;
  ELSIF TG_OP = 'DELETE' THEN
    -- The new version alone deletes what is past its retention.
    RETURN NULL;
  ELSIF NEW.published_at IS NULL THEN
    INSERT INTO outbox_unpublished (seq) VALUES (NEW.seq) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM outbox_unpublished WHERE seq = NEW.seq;
    UPDATE outbox_events SET published_at = NEW.published_at, stream_seq = NEW.stream_seq WHERE seq = NEW.seq;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER of_the_version_before INSTEAD OF INSERT OR UPDATE OR DELETE ON outbox
  FOR EACH ROW EXECUTE FUNCTION outbox_of_the_version_before();
