-- Keys of one subject each: all that a relationship's partner has written about people is encrypted under the key of
-- that relationship, which lies here, sealed. Whoever deletes the row makes what it encrypted unreadable, also in every
-- backup that leaves this table out (docs/OPERATIONS.md, Backups).
CREATE TABLE data_keys (
  subject text COLLATE "C" PRIMARY KEY,
  key_sealed text NOT NULL,
  created_at timestamptz NOT NULL
);

-- ended_at: when the relationship was revoked, as far as is known; erased_at: when its personal data was erased. What
-- was sealed is the empty text then.
ALTER TABLE relationships ADD COLUMN ended_at timestamptz, ADD COLUMN erased_at timestamptz;
UPDATE relationships SET ended_at = now() WHERE status = 'revoked';
CREATE INDEX relationships_to_erase ON relationships (ended_at) WHERE ended_at IS NOT NULL AND erased_at IS NULL;
