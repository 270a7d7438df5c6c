-- Gives the signer's record to a role that nobody can log in as, so that the signer, which owns its database, may append
-- to it and read it, and nothing else. Run in the signer's database by a superuser, after
-- services/signer/migrations/2_record.sql; may be run again.
DO $protect$
DECLARE
  service text := (
    SELECT rolname FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = current_database()
  );
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'signer_record') THEN
    CREATE ROLE signer_record NOLOGIN;
  END IF;
  ALTER SCHEMA record OWNER TO signer_record;
  ALTER TABLE record.records OWNER TO signer_record;
  ALTER TABLE record.head OWNER TO signer_record;
  ALTER FUNCTION record.append(text, text, text) OWNER TO signer_record;

  EXECUTE format('REVOKE ALL ON SCHEMA record FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA record FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA record FROM PUBLIC, %I', service);
  EXECUTE format('GRANT USAGE ON SCHEMA record TO %I', service);
  EXECUTE format('GRANT SELECT ON record.records, record.head TO %I', service);
  EXECUTE format('GRANT EXECUTE ON FUNCTION record.append(text, text, text) TO %I', service);
END
$protect$;
