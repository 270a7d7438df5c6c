-- Event ids carry the time of their event since they are made of it, so the primary key is the log's order. A bulk
-- redelivery under way goes on from the time that it has reached: its position was one of the index.
UPDATE redeliveries SET reached_id = '' WHERE status = 'running';
DROP INDEX events_log;
