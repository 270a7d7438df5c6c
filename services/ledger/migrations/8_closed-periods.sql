-- Periods that no later posting can enter (decisions §48). May be run again, by the ledger or by the server's superuser,
-- whichever comes first.
DO $migration$
BEGIN
  IF to_regproc('books.close_until') IS NOT NULL THEN
    RETURN;
  END IF;

  -- Has everything that is posted from now on recorded at p_at or later, also by a replica whose clock is late. Returns the
  -- last posting that was recorded before p_at, or 0.
  CREATE FUNCTION books.close_until(p_at timestamptz) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $close$
  BEGIN
    UPDATE books.head SET recorded_at = greatest(recorded_at, p_at);
    RETURN coalesce((
      SELECT j.seq FROM books.journal AS j WHERE j.recorded_at < p_at ORDER BY j.recorded_at DESC, j.seq DESC LIMIT 1
    ), 0);
  END
  $close$;
  REVOKE ALL ON FUNCTION books.close_until(timestamptz) FROM PUBLIC;
END
$migration$;
