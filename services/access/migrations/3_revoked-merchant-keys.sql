-- Keys of the merchant API can be taken back. A revoked one stays, for the record; its revision tells every replica
-- to forget it. Keys from before this have no id of their own: readers derive one from the hash.
ALTER TABLE merchant_api_keys
  ADD COLUMN key_id text,
  ADD COLUMN hint text,
  ADD COLUMN revoked_at timestamptz,
  ADD COLUMN revision bigint;
CREATE INDEX merchant_api_keys_revision ON merchant_api_keys (revision) WHERE revision IS NOT NULL;
