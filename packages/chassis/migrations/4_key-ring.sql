-- The service's data keys: what it seals and hashes is under these. They are made here at random, and lie here wrapped
-- by a key-encryption key that the database never sees (ENCRYPTION_KEY, or a KMS).
CREATE TABLE key_ring (
  key_id text PRIMARY KEY,
  -- 'seal'; 'hash', of which the keys of keyed hashes derive; 'hash:<purpose>', which stands instead of one of them
  purpose text NOT NULL,
  -- 'next' opens and does not seal yet, 'retired' opens and seals no more
  state text NOT NULL CHECK (state IN ('next', 'active', 'retired')),
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX key_ring_one_a_purpose ON key_ring (purpose, state) WHERE state <> 'retired';

-- While two key-encryption keys are valid a data key lies here twice. The later wrap has the greater generation.
CREATE TABLE wrapped_keys (
  key_id text NOT NULL REFERENCES key_ring ON DELETE CASCADE,
  wrapping_key text NOT NULL,
  wrapped text NOT NULL,
  generation integer NOT NULL,
  PRIMARY KEY (key_id, wrapping_key)
);
