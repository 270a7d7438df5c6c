-- Staff try a parked event again, or set it aside with a note.
ALTER TABLE parked_events
  ADD COLUMN retried_at timestamptz,
  ADD COLUMN set_aside_at timestamptz,
  ADD COLUMN note text;
-- The queue: those that nobody has set aside, oldest first.
CREATE INDEX IF NOT EXISTS parked_events_age ON parked_events (parked_at, (consumer || '/' || event_id));
