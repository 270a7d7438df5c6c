-- Order of the feed. In a separate transaction: writers wait while it is built, about three seconds for a million rows;
-- readers do not.
CREATE INDEX IF NOT EXISTS events_feed ON events (owner_id, feed_position, event_id) WHERE feed_position IS NOT NULL;
