-- Gives the books to a role that nobody can log in as, so that the ledger, which owns its database, may post to them and
-- read them, and nothing else. Run in the ledger's database by a superuser, after the files of the ledger that
-- protected-schemas.txt lists; may be run again.
DO $protect$
DECLARE
  service text := (
    SELECT rolname FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = current_database()
  );
  part text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ledger_books') THEN
    CREATE ROLE ledger_books NOLOGIN;
  END IF;
  ALTER SCHEMA books OWNER TO ledger_books;
  FOR part IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'books' LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO ledger_books', part);
  END LOOP;
  FOR part IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'books'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO ledger_books', part);
  END LOOP;

  EXECUTE format('REVOKE ALL ON SCHEMA books FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA books FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA books FROM PUBLIC, %I', service);
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA books FROM PUBLIC, %I', service);
  EXECUTE format('GRANT USAGE ON SCHEMA books TO %I', service);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA books TO %I', service);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA books TO %I', service);
END
$protect$;
