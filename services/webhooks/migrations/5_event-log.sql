-- The log of events is read by time, and the log of deliveries by state and type as well.
CREATE INDEX events_log ON events (owner_id, created_at);

-- Empty on rows that a replica of the version before writes while this one starts: readers ask the event itself.
ALTER TABLE deliveries ADD COLUMN event_type text NOT NULL DEFAULT '';
UPDATE deliveries d SET event_type = e.type FROM events e
WHERE e.owner_id = d.owner_id AND e.event_id = d.event_id;

-- Ended deliveries alone: what is claimed and put back again and again must not be written into a further index.
CREATE INDEX deliveries_ended ON deliveries (destination_id, state, event_type, id) WHERE state <> 'waiting';
