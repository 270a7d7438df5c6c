-- Payouts in the books (decisions §49): each with the entries that it pays out, whole or in parts. Nothing is updated or
-- deleted but books.paid. May be run again, by the ledger or by the server's superuser, whichever comes first.
DO $migration$
BEGIN
  IF to_regclass('books.payouts') IS NOT NULL THEN
    RETURN;
  END IF;

  -- advance: what no entry covers; negative where the payout makes up for earlier advances.
  CREATE TABLE books.payouts (
    payout_id text PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES books.accounts,
    amount numeric(38, 0) NOT NULL CHECK (amount > 0),
    advance numeric(38, 0) NOT NULL,
    entry_count bigint NOT NULL CHECK (entry_count >= 0)
  );
  CREATE INDEX payouts_account ON books.payouts (account_id);

  CREATE TABLE books.payout_items (
    payout_id text NOT NULL REFERENCES books.payouts DEFERRABLE INITIALLY DEFERRED,
    account_id bigint NOT NULL,
    number bigint NOT NULL,
    amount numeric(38, 0) NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (payout_id, number),
    FOREIGN KEY (account_id, number) REFERENCES books.entries (account_id, number)
  );
  CREATE INDEX payout_items_entry ON books.payout_items (account_id, number);

  -- counterpart: the account that a settled payout went to.
  CREATE TABLE books.payout_steps (
    payout_id text NOT NULL REFERENCES books.payouts,
    step text NOT NULL CHECK (step IN ('upcoming', 'sent', 'settled', 'cancelled', 'returned')),
    counterpart text,
    effective_at timestamptz NOT NULL,
    PRIMARY KEY (payout_id, step),
    CONSTRAINT payout_steps_counterpart CHECK ((step = 'settled') = (counterpart IS NOT NULL))
  );

  -- Entries of an account up to this number are paid out whole. Without a row: none.
  CREATE TABLE books.paid (
    account_id bigint PRIMARY KEY REFERENCES books.accounts,
    through bigint NOT NULL
  );

  -- Entries of an account that are not paid out whole, and their rests. A cancelled payout pays nothing out.
  CREATE FUNCTION books.unpaid(p_account bigint, p_after bigint) RETURNS TABLE (number bigint, seq bigint, rest numeric)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
  AS $unpaid$
    SELECT e.number, e.seq, e.amount - paid.amount
    FROM books.entries AS e
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(i.amount), 0) AS amount FROM books.payout_items AS i
      WHERE i.account_id = e.account_id AND i.number = e.number
        AND NOT EXISTS (
          SELECT FROM books.payout_steps AS s WHERE s.payout_id = i.payout_id AND s.step = 'cancelled')
    ) AS paid
    WHERE e.account_id = p_account AND e.number > p_after AND e.kind <> 'payout' AND e.amount <> paid.amount
  $unpaid$;

  -- What was advanced to an account and not made up for.
  CREATE FUNCTION books.advanced(p_account bigint) RETURNS numeric
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
  AS $advanced$
    SELECT coalesce(sum(p.advance), 0) FROM books.payouts AS p
    WHERE p.account_id = p_account
      AND NOT EXISTS (SELECT FROM books.payout_steps AS s WHERE s.payout_id = p.payout_id AND s.step = 'cancelled')
  $advanced$;

  -- A payout is the sum of its items and its advance, and no entry is paid out beyond itself.
  CREATE FUNCTION books.check_payout() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $check$
  DECLARE
    v_items numeric;
    v_count bigint;
  BEGIN
    SELECT coalesce(sum(i.amount), 0), count(*) INTO v_items, v_count
    FROM books.payout_items AS i WHERE i.payout_id = NEW.payout_id AND i.account_id = NEW.account_id;
    IF (v_items + NEW.advance, v_count) IS DISTINCT FROM (NEW.amount, NEW.entry_count) THEN
      RAISE EXCEPTION 'payout % is not the sum of its items', NEW.payout_id USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (
      SELECT FROM books.payout_items AS own
      JOIN books.entries AS e ON e.account_id = own.account_id AND e.number = own.number
      CROSS JOIN LATERAL (
        SELECT sum(i.amount) AS amount FROM books.payout_items AS i
        WHERE i.account_id = own.account_id AND i.number = own.number
          AND NOT EXISTS (
            SELECT FROM books.payout_steps AS s WHERE s.payout_id = i.payout_id AND s.step = 'cancelled')
      ) AS paid
      WHERE own.payout_id = NEW.payout_id
        AND (e.kind = 'payout' OR own.amount * sign(e.amount) <= 0 OR abs(paid.amount) > abs(e.amount))
    ) THEN
      RAISE EXCEPTION 'payout % pays an entry out beyond itself', NEW.payout_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END
  $check$;
  CREATE CONSTRAINT TRIGGER payouts_sum AFTER INSERT ON books.payouts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION books.check_payout();

  -- The parts of unpaid entries that add up to an amount.
  CREATE FUNCTION books.taken(p_account bigint, p_after bigint, p_last bigint, p_amount numeric)
  RETURNS TABLE (number bigint, amount numeric)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
  AS $taken$
    SELECT run.number, CASE WHEN run.rest < 0 THEN run.rest ELSE least(run.rest, p_amount - run.before) END
    FROM (
      SELECT u.number, u.rest, coalesce(sum(u.rest) OVER (
        ORDER BY u.rest > 0, u.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM books.unpaid(p_account, p_after) AS u WHERE u.seq <= p_last
    ) AS run
    WHERE run.rest < 0 OR run.before < p_amount
  $taken$;

  -- Pays out entries of one account, negative ones first, then the oldest, the last one in part. p_payout: {payout_id,
  -- before, amount, minimum, takes_advance}. before: entries that were recorded earlier; null: all. amount: null for all
  -- that is available, if it is the minimum at least. takes_advance: an amount that no entry covers is advanced. p_posting:
  -- as books.post takes it, with one transfer, whose debit is the account and whose amount is filled in.
  -- Returns what is available; no amount where nothing was paid out, and nothing was written.
  CREATE FUNCTION books.pay_out(p_payout jsonb, p_accounts jsonb, p_posting jsonb, p_now timestamptz)
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
    v_advanced numeric;
    v_amount numeric := (p_payout ->> 'amount')::numeric;
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
    SELECT coalesce(sum(u.rest), 0) INTO v_unpaid FROM books.unpaid(v_account, v_after) AS u WHERE u.seq <= v_last;
    v_advanced := books.advanced(v_account);
    IF v_amount IS NULL THEN
      v_amount := least(v_unpaid - v_advanced, v_available);
      IF v_amount < greatest((p_payout ->> 'minimum')::numeric, 1) THEN
        RETURN QUERY SELECT NULL::numeric, NULL::numeric, 0::bigint, v_available;
        RETURN;
      END IF;
    ELSIF v_amount > v_available AND NOT (p_payout ->> 'takes_advance')::boolean THEN
      RETURN QUERY SELECT NULL::numeric, NULL::numeric, 0::bigint, v_available;
      RETURN;
    END IF;
    v_advance := greatest(-v_advanced, v_amount - v_unpaid);

    PERFORM books.post(
      p_accounts,
      jsonb_build_array(jsonb_set(p_posting, '{transfers,0,amount}', to_jsonb(v_amount::text))), p_now);
    SELECT a.id INTO v_account FROM books.accounts AS a WHERE a.name = v_name AND a.unit = v_unit;
    INSERT INTO books.payout_items (payout_id, account_id, number, amount)
    SELECT v_id, v_account, t.number, t.amount FROM books.taken(v_account, v_after, v_last, v_amount - v_advance) AS t;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    INSERT INTO books.payouts (payout_id, account_id, amount, advance, entry_count)
    VALUES (v_id, v_account, v_amount, v_advance, v_count);
    INSERT INTO books.payout_steps (payout_id, step, effective_at)
    VALUES (v_id, 'upcoming', (p_posting ->> 'effective_at')::timestamptz);
    INSERT INTO books.paid AS p (account_id, through)
    SELECT v_account, coalesce(min(u.number) - 1, (SELECT b.entries FROM books.balances AS b WHERE b.account_id = v_account))
    FROM books.unpaid(v_account, v_after) AS u
    ON CONFLICT (account_id) DO UPDATE SET through = excluded.through;
    RETURN QUERY SELECT v_amount, v_advance, v_count, v_available;
  END
  $pay$;

  -- Takes a payout a step further: upcoming, then sent or cancelled; sent, then settled or returned; settled, then returned.
  -- Repeated, it changes nothing. p_posting: null for `sent`. Returns whether the step is new. Fails with SQLSTATE LB003 for
  -- a step that the payout cannot take.
  CREATE FUNCTION books.step_payout(
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
  REVOKE ALL ON FUNCTION books.check_payout(), books.pay_out(jsonb, jsonb, jsonb, timestamptz),
    books.step_payout(text, text, text, timestamptz, jsonb, jsonb, timestamptz) FROM PUBLIC;
END
$migration$;
