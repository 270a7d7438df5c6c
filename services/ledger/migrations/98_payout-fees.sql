-- The fee of a payout (decisions §52), which is posted with it: an entry that the payout takes too, so that it adds up. It
-- replaces the function of 32_cancelled-advances.sql. p_payout has the fee; p_posting then has it as its second transfer.
-- May be run again, by the ledger or by the server's superuser, whichever comes first.
DO $migration$
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = 'books.payouts'::regclass AND attname = 'fee' AND NOT attisdropped
  ) THEN
    RETURN;
  END IF;

  ALTER TABLE books.payouts ADD COLUMN fee numeric(38, 0) NOT NULL DEFAULT 0,
    ADD CONSTRAINT payouts_fee CHECK (fee >= 0) NOT VALID;

  CREATE OR REPLACE FUNCTION books.pay_out(p_payout jsonb, p_accounts jsonb, p_posting jsonb, p_now timestamptz)
  RETURNS TABLE (amount numeric, advance numeric, entry_count bigint, available numeric)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  AS $pay$
  #variable_conflict use_column
  DECLARE
    v_id text := p_payout ->> 'payout_id';
    v_name text := p_posting #>> '{transfers,0,debit}';
    v_unit text := p_posting #>> '{transfers,0,unit}';
    v_account bigint;
    v_after bigint;
    -- The last posting before the cut-off.
    v_last bigint;
    v_unpaid numeric;
    -- Negative ones of them, which every payout takes.
    v_negative numeric;
    v_advanced numeric;
    v_amount numeric := (p_payout ->> 'amount')::numeric;
    v_fee numeric := coalesce((p_payout ->> 'fee')::numeric, 0);
    v_advance numeric;
    v_available numeric;
    v_count bigint;
  BEGIN
    PERFORM FROM books.head FOR UPDATE;
    SELECT a.id INTO v_account FROM books.accounts AS a WHERE a.name = v_name AND a.unit = v_unit;
    v_after := coalesce((SELECT p.through FROM books.paid AS p WHERE p.account_id = v_account), 0);
    v_last := CASE WHEN p_payout ->> 'before' IS NULL THEN 9223372036854775807 ELSE coalesce((
      SELECT j.seq FROM books.journal AS j WHERE j.recorded_at < (p_payout ->> 'before')::timestamptz
      ORDER BY j.recorded_at DESC, j.seq DESC LIMIT 1), 0) END;
    v_available := coalesce((SELECT b.amount FROM books.balances AS b WHERE b.account_id = v_account), 0);
    SELECT coalesce(sum(u.rest), 0), coalesce(sum(u.rest) FILTER (WHERE u.rest < 0), 0) INTO v_unpaid, v_negative
    FROM books.unpaid(v_account, v_after) AS u WHERE u.seq <= v_last;
    v_advanced := books.advanced(v_account);
    IF v_amount IS NULL THEN
      v_amount := least(v_unpaid - v_advanced, v_available) - v_fee;
      IF v_amount < greatest((p_payout ->> 'minimum')::numeric, 1) THEN
        RETURN QUERY SELECT NULL::numeric, NULL::numeric, 0::bigint, v_available;
        RETURN;
      END IF;
    ELSIF v_amount + v_fee > v_available AND NOT (p_payout ->> 'takes_advance')::boolean THEN
      RETURN QUERY SELECT NULL::numeric, NULL::numeric, 0::bigint, v_available;
      RETURN;
    END IF;
    -- What was made up for and then cancelled is paid out again, at most as far as the amount goes.
    v_advance := least(greatest(-v_advanced, v_amount + v_fee - v_unpaid), v_amount + v_fee - v_negative);
    -- The parts of earlier entries, before the entry of the fee is among them.
    INSERT INTO books.payout_items (payout_id, account_id, number, amount)
    SELECT v_id, v_account, t.number, t.amount
    FROM books.taken(v_account, v_after, v_last, v_amount + v_fee - v_advance) AS t;
    GET DIAGNOSTICS v_count = ROW_COUNT;

    PERFORM books.post(
      p_accounts,
      jsonb_build_array(jsonb_set(p_posting, '{transfers,0,amount}', to_jsonb(v_amount::text))), p_now);
    SELECT a.id INTO v_account FROM books.accounts AS a WHERE a.name = v_name AND a.unit = v_unit;
    IF v_fee > 0 THEN
      INSERT INTO books.payout_items (payout_id, account_id, number, amount)
      SELECT v_id, v_account, e.number, e.amount
      FROM books.journal AS j JOIN books.entries AS e ON e.seq = j.seq AND e.account_id = v_account
      WHERE j.source = v_id AND j.rule = 'fact' AND e.kind = 'payout_fee';
      v_count := v_count + 1;
    END IF;
    INSERT INTO books.payouts (payout_id, account_id, amount, advance, entry_count, fee)
    VALUES (v_id, v_account, v_amount, v_advance, v_count, v_fee);
    INSERT INTO books.payout_steps (payout_id, step, effective_at)
    VALUES (v_id, 'upcoming', (p_posting ->> 'effective_at')::timestamptz);
    INSERT INTO books.paid AS p (account_id, through)
    SELECT v_account, coalesce(min(u.number) - 1, (SELECT b.entries FROM books.balances AS b WHERE b.account_id = v_account))
    FROM books.unpaid(v_account, v_after) AS u
    ON CONFLICT (account_id) DO UPDATE SET through = excluded.through;
    RETURN QUERY SELECT v_amount, v_advance, v_count, v_available;
  END
  $pay$;
END
$migration$;
