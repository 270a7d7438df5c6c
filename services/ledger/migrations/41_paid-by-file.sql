-- A payout is in one payment file at most, and is not cancelled once it is in one (decisions §50). The function for steps
-- replaces that of 11_payouts.sql, which says what it takes. May be run again, by the ledger or by the server's superuser,
-- whichever comes first.
DO $migration$
BEGIN
  IF to_regclass('books.payment_file_items') IS NOT NULL THEN
    RETURN;
  END IF;

  CREATE TABLE books.payment_file_items (
    payout_id text PRIMARY KEY REFERENCES books.payouts,
    payment_file_id text NOT NULL
  );
  CREATE INDEX payment_file_items_file ON books.payment_file_items (payment_file_id);

  -- Puts payouts into a new file. Returns their amounts in the books. Fails with SQLSTATE 23505 for a payout that is in a
  -- file, and for a file that has payouts; with LB003 for a payout that is not upcoming, or is in another unit.
  CREATE FUNCTION books.put_into_file(p_file text, p_unit text, p_payouts text[])
  RETURNS TABLE (payout_id text, amount numeric)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $put$
  #variable_conflict use_column
  BEGIN
    PERFORM FROM books.head FOR UPDATE;
    IF EXISTS (SELECT FROM books.payment_file_items AS i WHERE i.payment_file_id = p_file) THEN
      RAISE EXCEPTION 'payment file % was made before', p_file USING ERRCODE = 'unique_violation';
    END IF;
    IF (
      SELECT count(*) FROM books.payouts AS p JOIN books.accounts AS a ON a.id = p.account_id
      WHERE p.payout_id = ANY (p_payouts) AND a.unit = p_unit AND NOT EXISTS (
        SELECT FROM books.payout_steps AS s WHERE s.payout_id = p.payout_id AND s.step <> 'upcoming')
    ) <> cardinality(p_payouts) THEN
      RAISE EXCEPTION 'payment file %: every payout must be upcoming in %', p_file, p_unit USING ERRCODE = 'LB003';
    END IF;
    INSERT INTO books.payment_file_items (payout_id, payment_file_id) SELECT id, p_file FROM unnest(p_payouts) AS id;
    RETURN QUERY SELECT p.payout_id, p.amount FROM books.payouts AS p WHERE p.payout_id = ANY (p_payouts);
  END
  $put$;

  CREATE OR REPLACE FUNCTION books.step_payout(
    p_payout_id text, p_step text, p_counterpart text, p_at timestamptz, p_accounts jsonb, p_posting jsonb, p_now timestamptz
  ) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $step$
  DECLARE
    v_steps text[];
    v_last text;
    v_first bigint;
  BEGIN
    PERFORM FROM books.head FOR UPDATE;
    SELECT array_agg(s.step) INTO v_steps FROM books.payout_steps AS s WHERE s.payout_id = p_payout_id;
    IF p_step = ANY (v_steps) THEN
      RETURN false;
    END IF;
    v_last := CASE
      WHEN v_steps && '{cancelled,returned}' THEN 'ended'
      WHEN 'settled' = ANY (v_steps) THEN 'settled'
      WHEN 'sent' = ANY (v_steps) THEN 'sent'
      WHEN 'upcoming' = ANY (v_steps) THEN 'upcoming' END;
    IF (v_last || ' ' || p_step) IS NULL OR v_last || ' ' || p_step NOT IN (
      'upcoming sent', 'upcoming cancelled', 'sent settled', 'sent returned', 'settled returned')
    THEN
      RAISE EXCEPTION 'payout % cannot be % now', p_payout_id, p_step USING ERRCODE = 'LB003';
    END IF;
    -- The bank may have the file: a cancelled payout would be paid there and once more by the next one.
    IF p_step = 'cancelled' AND EXISTS (
      SELECT FROM books.payment_file_items AS i WHERE i.payout_id = p_payout_id)
    THEN
      RAISE EXCEPTION 'payout % is in a payment file', p_payout_id USING ERRCODE = 'LB003';
    END IF;
    INSERT INTO books.payout_steps (payout_id, step, counterpart, effective_at)
    VALUES (p_payout_id, p_step, p_counterpart, p_at);
    IF p_posting IS NOT NULL THEN
      PERFORM books.post(p_accounts, jsonb_build_array(p_posting), p_now);
    END IF;
    IF p_step = 'cancelled' THEN
      SELECT min(i.number) - 1 INTO v_first FROM books.payout_items AS i WHERE i.payout_id = p_payout_id;
      UPDATE books.paid AS p SET through = least(p.through, v_first)
      FROM books.payouts AS o WHERE o.payout_id = p_payout_id AND p.account_id = o.account_id;
    END IF;
    RETURN true;
  END
  $step$;
  REVOKE ALL ON FUNCTION books.put_into_file(text, text, text[]) FROM PUBLIC;
END
$migration$;
