-- What staff approved and what the signer did: append-only and chained, as the gateway's audit log (ADR 0041, ADR 0070).
-- It has a schema of its own, so that deploy/postgres/protect-signer-record.sql can give it to a role that the signer is
-- not. May be run again, by the signer or by the server's superuser, whoever comes first.
DO $migration$
BEGIN
  IF to_regclass('record.records') IS NOT NULL THEN
    RETURN;
  END IF;
  CREATE SCHEMA record;

  -- subject: the order of an approval, else the transfer. `record` is JSON kept as text: the very characters that were
  -- hashed. Of a transfer each step is there once.
  CREATE TABLE record.records (
    sequence bigint PRIMARY KEY,
    subject text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('approved', 'requested', 'refused', 'signed', 'broadcast', 'confirmed', 'failed')),
    record text NOT NULL,
    hash text NOT NULL
  );
  CREATE UNIQUE INDEX records_step ON record.records (subject, kind)
    WHERE kind IN ('requested', 'signed', 'broadcast', 'confirmed', 'failed');
  CREATE INDEX records_subject ON record.records (subject, kind, sequence);

  -- The end of the chain. Its row lock puts the appends of all replicas in one order.
  CREATE TABLE record.head (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    sequence bigint NOT NULL,
    hash text NOT NULL
  );
  INSERT INTO record.head (sequence, hash) VALUES (0, repeat('0', 64));

  -- hash = SHA-256 of sequence, the hash before it and the record, each followed by a line feed but the last, in hex.
  CREATE FUNCTION record.append(subject text, kind text, record text) RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $append$
    WITH next AS (
      UPDATE record.head SET
        sequence = sequence + 1,
        hash = encode(sha256(convert_to((sequence + 1)::text || E'\n' || hash || E'\n' || $3, 'UTF8')), 'hex')
      RETURNING sequence, hash
    )
    INSERT INTO record.records (sequence, subject, kind, record, hash)
    SELECT next.sequence, $1, $2, $3, next.hash FROM next
    RETURNING sequence
  $append$;
  REVOKE ALL ON FUNCTION record.append(text, text, text) FROM PUBLIC;
END
$migration$;
