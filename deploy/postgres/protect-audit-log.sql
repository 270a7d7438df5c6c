-- Gives the audit log to a role that nobody can log in as, so that access, which owns its database, may append to
-- it and read it, and nothing else. Run in the database gateway, which is that of access, by a superuser, after
-- services/access/migrations/6_audit-log.sql; may be run again.
DO $protect$
DECLARE
  service text := (
    SELECT rolname FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = current_database()
  );
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gateway_audit') THEN
    CREATE ROLE gateway_audit NOLOGIN;
  END IF;
  ALTER SCHEMA audit OWNER TO gateway_audit;
  ALTER TABLE audit.records OWNER TO gateway_audit;
  ALTER TABLE audit.head OWNER TO gateway_audit;
  ALTER FUNCTION audit.append(text, text, text) OWNER TO gateway_audit;

  EXECUTE format('REVOKE ALL ON SCHEMA audit FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA audit FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA audit FROM PUBLIC, %I', service);
  EXECUTE format('GRANT USAGE ON SCHEMA audit TO %I', service);
  EXECUTE format('GRANT SELECT ON audit.records, audit.head TO %I', service);
  EXECUTE format('GRANT EXECUTE ON FUNCTION audit.append(text, text, text) TO %I', service);
END
$protect$;
