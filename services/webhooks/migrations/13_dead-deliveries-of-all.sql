-- Dead deliveries of all destinations, for staff. Ids are in the order of time.
CREATE INDEX IF NOT EXISTS deliveries_dead_of_all ON deliveries (id) WHERE state = 'dead';
