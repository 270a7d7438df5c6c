-- Posts a batch in one statement whose plan does not depend on how large the tables were when it was made: a connection
-- keeps its plan, and one made for young books reads them whole for each batch until PostgreSQL analyses them. It replaces
-- the function of 1_books.sql, which says what it takes, and writes the same rows. May be run again, by the ledger or by
-- the server's superuser, whichever comes first.
DO $migration$
BEGIN
  IF 'enable_seqscan=off' = ANY (
    SELECT unnest(proconfig) FROM pg_proc WHERE oid = 'books.post(jsonb, jsonb, timestamptz)'::regprocedure
  ) THEN
    RETURN;
  END IF;

  CREATE OR REPLACE FUNCTION books.post(p_accounts jsonb, p_postings jsonb, p_now timestamptz)
  RETURNS TABLE (posted bigint, scheduled bigint, repeated bigint)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  -- Every lookup is of one row by a unique index.
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  AS $post$
  DECLARE
    v_seq bigint;
    v_at timestamptz;
    v_other text;
  BEGIN
    -- Also for an empty batch: its caller reads a balance that cannot change before its transaction ends.
    SELECT h.seq, greatest(h.recorded_at, p_now) INTO v_seq, v_at FROM books.head AS h FOR UPDATE;
    IF p_postings = '[]' THEN
      posted := 0;
      scheduled := 0;
      repeated := 0;
      RETURN NEXT;
      RETURN;
    END IF;

    -- Every statement from here on sees what the batches before have committed.
    INSERT INTO books.accounts (name, unit, class, owner_id, balance)
    SELECT DISTINCT a.name, a.unit, a.class, a.owner_id, a.balance
    FROM jsonb_to_recordset(p_accounts) AS a (name text, unit text, class text, owner_id text, balance text)
    WHERE NOT EXISTS (SELECT FROM books.accounts AS known WHERE known.name = a.name AND known.unit = a.unit)
    -- An owner's `pending` before its `available`: entries of one line are listed by account, in the order money moves.
    ORDER BY a.name DESC, a.unit;

    WITH given AS MATERIALIZED (
      SELECT value AS posting, ordinality AS place, value ->> 'source' AS source, value ->> 'rule' AS rule,
        (value ->> 'due_at')::timestamptz AS due_at, sha256(convert_to(value::text, 'UTF8')) AS digest
      FROM jsonb_array_elements(p_postings) WITH ORDINALITY
    ), compared AS MATERIALIZED (
      SELECT g.*, j.digest AS posted_digest, s.digest AS scheduled_digest, first_value(g.digest) OVER same AS first_digest,
        row_number() OVER same AS copy
      FROM given AS g
      LEFT JOIN books.journal AS j ON j.source = g.source AND j.rule = g.rule
      LEFT JOIN books.scheduled AS s ON s.source = g.source AND s.rule = g.rule
      WINDOW same AS (PARTITION BY g.source, g.rule ORDER BY g.place)
    ), fresh AS MATERIALIZED (
      SELECT c.*, v_seq + row_number() OVER (ORDER BY c.place) AS seq
      FROM compared AS c
      WHERE c.copy = 1 AND c.posted_digest IS NULL AND coalesce(c.due_at <= p_now, true)
    ), journalled AS (
      INSERT INTO books.journal
        (seq, id, source, rule, digest, order_key, order_id, reverses, estimated, effective_at, recorded_at)
      SELECT f.seq, f.posting ->> 'id', f.source, f.rule, f.digest, f.posting ->> 'order_key', f.posting ->> 'order_id',
        f.posting ->> 'reverses', (f.posting ->> 'estimated')::boolean, (f.posting ->> 'effective_at')::timestamptz, v_at
      FROM fresh AS f
    ), lines AS MATERIALIZED (
      -- An account that is not registered leaves null, which no transfer may have.
      SELECT f.seq, t.line, d.id AS debit, c.id AS credit, t.each ->> 'unit' AS unit,
        (t.each ->> 'amount')::numeric AS amount, t.each ->> 'debit_kind' AS debit_kind,
        t.each ->> 'credit_kind' AS credit_kind, d.owner_id AS debit_owner, c.owner_id AS credit_owner
      FROM fresh AS f
      CROSS JOIN jsonb_array_elements(f.posting -> 'transfers') WITH ORDINALITY AS t (each, line)
      LEFT JOIN books.accounts AS d ON d.name = t.each ->> 'debit' AND d.unit = t.each ->> 'unit'
      LEFT JOIN books.accounts AS c ON c.name = t.each ->> 'credit' AND c.unit = t.each ->> 'unit'
    ), moved AS (
      INSERT INTO books.transfers (seq, line, debit, credit, unit, amount)
      SELECT l.seq, l.line, l.debit, l.credit, l.unit, l.amount FROM lines AS l
    ), sides AS (
      SELECT l.debit AS account_id, l.seq, l.line, l.debit_kind AS kind, -l.amount AS amount, -1 AS sign
      FROM lines AS l WHERE l.debit_owner IS NOT NULL
      UNION ALL
      SELECT l.credit, l.seq, l.line, l.credit_kind, l.amount, 1 FROM lines AS l WHERE l.credit_owner IS NOT NULL
    ), numbered AS (
      SELECT s.*, row_number() OVER earlier AS place, sum(s.amount) OVER earlier AS total
      FROM sides AS s
      WINDOW earlier AS (PARTITION BY s.account_id ORDER BY s.seq, s.line, s.sign ROWS UNBOUNDED PRECEDING)
    ), entered AS (
      INSERT INTO books.entries (account_id, number, seq, line, kind, amount, balance_after)
      SELECT n.account_id, coalesce(b.entries, 0) + n.place, n.seq, n.line, n.kind, n.amount,
        coalesce(b.amount, 0) + n.total
      FROM numbered AS n LEFT JOIN books.balances AS b USING (account_id)
      RETURNING entries.account_id, entries.amount
    ), summed AS (
      INSERT INTO books.balances AS b (account_id, amount, entries)
      SELECT e.account_id, sum(e.amount), count(*) FROM entered AS e GROUP BY e.account_id
      ON CONFLICT (account_id) DO UPDATE SET
        amount = b.amount + excluded.amount, entries = b.entries + excluded.entries
    ), postponed AS (
      INSERT INTO books.scheduled (source, rule, due_at, digest, posting)
      SELECT c.source, c.rule, c.due_at, c.digest, c.posting
      FROM compared AS c
      WHERE c.copy = 1 AND c.posted_digest IS NULL AND c.scheduled_digest IS NULL AND c.due_at > p_now
      RETURNING 1
    ), due AS (
      DELETE FROM books.scheduled AS s USING fresh AS f
      WHERE f.scheduled_digest IS NOT NULL AND s.source = f.source AND s.rule = f.rule
    )
    SELECT (SELECT count(*) FROM fresh), (SELECT count(*) FROM postponed), (
      SELECT string_agg(DISTINCT c.source || ' ' || c.rule, ', ') FROM compared AS c
      WHERE c.digest <> coalesce(c.posted_digest, c.scheduled_digest, c.first_digest)
    ) INTO posted, scheduled, v_other;
    IF v_other IS NOT NULL THEN
      RAISE EXCEPTION 'posted before with other content: %', v_other USING ERRCODE = 'LB001';
    END IF;
    repeated := jsonb_array_length(p_postings) - posted - scheduled;
    IF posted > 0 THEN
      UPDATE books.head SET seq = v_seq + posted, recorded_at = v_at;
    END IF;
    RETURN NEXT;
  END
  $post$;
END
$migration$;
