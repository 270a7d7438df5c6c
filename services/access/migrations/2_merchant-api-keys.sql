-- Keys of the merchant API: keyed hashes only, found by them. A merchant may have several.
CREATE TABLE merchant_api_keys (
  key_mac text PRIMARY KEY,
  merchant_id text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX merchant_api_keys_merchant ON merchant_api_keys (merchant_id);
