-- Parts of files that are to be imported (decisions §51), encrypted under a key that is not stored.
CREATE TABLE import_file_parts (
  blob_key text NOT NULL,
  part integer NOT NULL,
  sealed bytea NOT NULL,
  stored_at timestamptz NOT NULL,
  PRIMARY KEY (blob_key, part)
);
CREATE INDEX IF NOT EXISTS import_file_parts_age ON import_file_parts (stored_at);
-- Encrypted bytes cannot be compressed.
ALTER TABLE import_file_parts ALTER COLUMN sealed SET STORAGE EXTERNAL;
