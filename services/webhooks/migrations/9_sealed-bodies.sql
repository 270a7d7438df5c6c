-- The whole body of an event that names a payer's address; `body` then holds the event's name alone.
ALTER TABLE events ADD COLUMN body_sealed text;
-- For the command that seals every value anew, which walks these rows by their keys.
CREATE INDEX events_sealed ON events (event_id) WHERE body_sealed IS NOT NULL;
