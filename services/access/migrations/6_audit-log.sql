-- The audit log of staff actions: append-only and chained (ADR 0041). It has a schema of its
-- own, so that deploy/postgres/protect-audit-log.sql can give it to a role that the gateway is not: what the gateway
-- owns it could rewrite. May be run again, by the gateway or by the server's superuser, whoever comes first.
DO $migration$
DECLARE
  entry record;
  last_sequence bigint := 0;
  last_hash text := repeat('0', 64);
  text_of_entry text;
BEGIN
  IF to_regclass('audit.records') IS NULL THEN
    CREATE SCHEMA audit;

    -- An action is two records, that it began and how it ended, which share a request; a read and a refusal are one.
    -- `record` is JSON kept as text: the very characters that were hashed.
    CREATE TABLE audit.records (
      sequence bigint PRIMARY KEY,
      request_id text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('began', 'ended')),
      record text NOT NULL,
      hash text NOT NULL,
      UNIQUE (request_id, kind)
    );
    CREATE INDEX records_began ON audit.records (sequence) WHERE kind = 'began';

    -- The end of the chain. Its row lock puts the appends of all replicas in one order.
    CREATE TABLE audit.head (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      sequence bigint NOT NULL,
      hash text NOT NULL
    );
    INSERT INTO audit.head (sequence, hash) VALUES (0, repeat('0', 64));

    -- hash = SHA-256 of sequence, the hash before it and the record, each followed by a line feed but the last, in hex.
    CREATE FUNCTION audit.append(request_id text, kind text, record text) RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $append$
      WITH next AS (
        UPDATE audit.head SET
          sequence = sequence + 1,
          hash = encode(sha256(convert_to((sequence + 1)::text || E'\n' || hash || E'\n' || $3, 'UTF8')), 'hex')
        RETURNING sequence, hash
      )
      INSERT INTO audit.records (sequence, request_id, kind, record, hash)
      SELECT next.sequence, $1, $2, $3, next.hash FROM next
      RETURNING sequence
    $append$;
    REVOKE ALL ON FUNCTION audit.append(text, text, text) FROM PUBLIC;
  END IF;

  IF to_regclass('public.audit_entries') IS NULL OR to_regproc('public.chain_audit_entry') IS NOT NULL THEN
    RETURN;
  END IF;

  -- What was written before there was a chain goes first, one record an entry.
  LOCK TABLE public.audit_entries IN SHARE ROW EXCLUSIVE MODE;
  FOR entry IN SELECT * FROM public.audit_entries ORDER BY at, entry_id LOOP
    text_of_entry := json_build_object(
      'kind', 'began', 'entry_id', entry.entry_id,
      'at', to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor', entry.actor, 'action', entry.action, 'target', entry.target,
      'before', entry.before, 'after', entry.after, 'request_id', entry.request_id)::text;
    last_sequence := last_sequence + 1;
    last_hash := encode(sha256(convert_to(last_sequence || E'\n' || last_hash || E'\n' || text_of_entry, 'UTF8')), 'hex');
    INSERT INTO audit.records (sequence, request_id, kind, record, hash)
    VALUES (last_sequence, entry.request_id, 'began', text_of_entry, last_hash);
  END LOOP;
  IF last_sequence > 0 THEN
    UPDATE audit.head SET sequence = last_sequence, hash = last_hash;
  END IF;

  -- What replicas of the version before still write is chained too.
  CREATE FUNCTION public.chain_audit_entry() RETURNS trigger LANGUAGE plpgsql
  AS $chain$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM audit.append(NEW.request_id, 'began', json_build_object(
        'kind', 'began', 'entry_id', NEW.entry_id,
        'at', to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'actor', NEW.actor, 'action', NEW.action, 'target', NEW.target,
        'before', NEW.before, 'after', NEW.after, 'request_id', NEW.request_id)::text);
    ELSE
      PERFORM audit.append(NEW.request_id, 'ended', json_build_object(
        'kind', 'ended', 'request_id', NEW.request_id,
        'target', NEW.target, 'before', NEW.before, 'after', NEW.after)::text);
    END IF;
    RETURN NULL;
  END
  $chain$;
  CREATE TRIGGER audit_entries_chained AFTER INSERT OR UPDATE ON public.audit_entries
    FOR EACH ROW EXECUTE FUNCTION public.chain_audit_entry();
END
$migration$;
