-- What was received before a time is deleted each hour, which read the whole table.
CREATE INDEX IF NOT EXISTS inbox_age ON inbox (received_at);
