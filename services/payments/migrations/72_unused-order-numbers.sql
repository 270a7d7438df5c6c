-- The run of the server (system identifier, timeline and start) in which a row was created that no number was granted from.
-- Where it differs, the database may have been restored to a moment before the first grant, after which numbers were
-- handed out.
ALTER TABLE order_numbers ADD COLUMN created_in text;
UPDATE order_numbers
SET created_in = (SELECT system_identifier FROM pg_control_system()) || '/' ||
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/' || extract(epoch FROM pg_postmaster_start_time()),
  seen_at = now()
WHERE run IS NULL;
