-- Checkpoints of the books: the sums of all accounts after every so many postings, so that a trial balance at any instant
-- reads few postings (decisions §48). They are never changed. May be run again, by the ledger or by the server's
-- superuser, whichever comes first.
DO $migration$
BEGIN
  IF to_regclass('books.checkpoints') IS NOT NULL THEN
    RETURN;
  END IF;

  CREATE TABLE books.checkpoints (seq bigint PRIMARY KEY);

  CREATE TABLE books.checkpoint_sums (
    seq bigint NOT NULL REFERENCES books.checkpoints,
    unit text NOT NULL,
    name text NOT NULL,
    class text NOT NULL,
    debits numeric(38, 0) NOT NULL,
    credits numeric(38, 0) NOT NULL,
    PRIMARY KEY (seq, unit, name)
  );

  -- The name under which an account is summed: those with an owner together, because there are too many to list.
  CREATE FUNCTION books.summed_under(p_name text, p_owner_id text, p_balance text) RETURNS text
  LANGUAGE sql IMMUTABLE
  AS $name$
    SELECT CASE
      WHEN p_owner_id IS NULL THEN p_name
      WHEN p_owner_id LIKE 'prt\_%' THEN 'partners:' || p_balance
      WHEN p_owner_id LIKE 'cus\_%' THEN 'merchants:' || p_balance
      ELSE 'relationships:' || p_balance END
  $name$;

  -- The sums of the postings after one and up to another.
  CREATE FUNCTION books.sums_between(p_after bigint, p_through bigint)
  RETURNS TABLE (unit text, name text, class text, debits numeric, credits numeric)
  LANGUAGE sql STABLE
  AS $sums$
    SELECT t.unit, books.summed_under(a.name, a.owner_id, a.balance), a.class, sum(side.debit), sum(side.credit)
    FROM books.transfers AS t
    CROSS JOIN LATERAL (VALUES (t.debit, t.amount, 0), (t.credit, 0, t.amount)) AS side (account_id, debit, credit)
    JOIN books.accounts AS a ON a.id = side.account_id
    WHERE t.seq > p_after AND t.seq <= p_through
    GROUP BY 1, 2, 3
  $sums$;

  -- Makes the next checkpoint, p_every postings after the last one. Returns false where there are not so many yet, or where
  -- another replica makes it.
  CREATE FUNCTION books.make_checkpoint(p_every bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $checkpoint$
  DECLARE
    v_last bigint := coalesce((SELECT max(c.seq) FROM books.checkpoints AS c), 0);
    v_next bigint := v_last + p_every;
  BEGIN
    -- Postings up to the head are committed, and never change.
    IF p_every < 1 OR v_next > (SELECT h.seq FROM books.head AS h) THEN
      RETURN false;
    END IF;
    INSERT INTO books.checkpoints (seq) VALUES (v_next) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    INSERT INTO books.checkpoint_sums (seq, unit, name, class, debits, credits)
    SELECT v_next, s.unit, s.name, s.class, sum(s.debits), sum(s.credits)
    FROM (
      SELECT c.unit, c.name, c.class, c.debits, c.credits FROM books.checkpoint_sums AS c WHERE c.seq = v_last
      UNION ALL
      SELECT b.unit, b.name, b.class, b.debits, b.credits FROM books.sums_between(v_last, v_next) AS b
    ) AS s
    GROUP BY s.unit, s.name, s.class;
    RETURN true;
  END
  $checkpoint$;
  REVOKE ALL ON FUNCTION books.make_checkpoint(bigint) FROM PUBLIC;
END
$migration$;
