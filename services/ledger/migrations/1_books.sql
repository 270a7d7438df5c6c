-- The books (decisions §47, ADR 0073), in a separate schema, so that deploy/postgres/protect-books.sql can give them to a
-- role that the ledger is not. May be run again, by the ledger or by the server's superuser, whichever comes first.
DO $migration$
BEGIN
  IF to_regclass('books.journal') IS NOT NULL THEN
    RETURN;
  END IF;
  CREATE SCHEMA books;

  -- An account exists once per unit. Accounts with an owner are shown to it: they have entries and a balance.
  CREATE TABLE books.accounts (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    unit text NOT NULL,
    class text NOT NULL CHECK (class IN ('asset', 'liability', 'income', 'cost')),
    -- A relationship or a partner.
    owner_id text,
    balance text CHECK (balance IN ('pending', 'available', 'reserved', 'on_the_way')),
    UNIQUE (name, unit),
    UNIQUE (id, unit),
    CONSTRAINT accounts_owner CHECK ((owner_id IS NULL) = (balance IS NULL))
  );
  CREATE INDEX accounts_owned ON books.accounts (owner_id) WHERE owner_id IS NOT NULL;

  -- The end of the journal. Its row lock puts the postings of all replicas in one order.
  CREATE TABLE books.head (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    seq bigint NOT NULL,
    recorded_at timestamptz NOT NULL
  );
  INSERT INTO books.head (seq, recorded_at) VALUES (0, 'epoch');

  -- seq has no gaps; recorded_at never decreases with it. source: the fact. reverses: the source that is taken back.
  CREATE TABLE books.journal (
    seq bigint PRIMARY KEY,
    id text NOT NULL UNIQUE,
    source text NOT NULL,
    rule text NOT NULL,
    digest bytea NOT NULL,
    order_key text,
    order_id text,
    reverses text,
    estimated boolean NOT NULL,
    effective_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT journal_once UNIQUE (source, rule),
    CONSTRAINT journal_reversed_once UNIQUE (reverses)
  );

  -- A row debits one account and credits another: a posting that does not balance cannot be written.
  CREATE TABLE books.transfers (
    seq bigint NOT NULL REFERENCES books.journal,
    line smallint NOT NULL,
    debit bigint NOT NULL,
    credit bigint NOT NULL,
    unit text NOT NULL,
    amount numeric(38, 0) NOT NULL CHECK (amount > 0),
    PRIMARY KEY (seq, line),
    FOREIGN KEY (debit, unit) REFERENCES books.accounts (id, unit),
    FOREIGN KEY (credit, unit) REFERENCES books.accounts (id, unit),
    CONSTRAINT transfers_two_accounts CHECK (debit <> credit)
  );

  -- An owner's view: one side of a transfer. number has no gaps within its account.
  CREATE TABLE books.entries (
    account_id bigint NOT NULL REFERENCES books.accounts,
    number bigint NOT NULL CHECK (number > 0),
    seq bigint NOT NULL,
    line smallint NOT NULL,
    kind text NOT NULL CHECK (kind IN (
      'payment', 'service_fee', 'partner_fee', 'split', 'refund', 'fee_returned', 'dispute', 'dispute_fee',
      'dispute_reversed', 'release', 'reserve', 'reserve_released', 'payout', 'payout_fee', 'payout_returned', 'deposit',
      'deposit_reverted', 'conversion', 'network_fee', 'adjustment'
    )),
    amount numeric(38, 0) NOT NULL CHECK (amount <> 0),
    balance_after numeric(38, 0) NOT NULL,
    PRIMARY KEY (account_id, number),
    FOREIGN KEY (seq, line) REFERENCES books.transfers
  );

  CREATE UNIQUE INDEX entries_side ON books.entries (seq, line, account_id);

  -- The sum and the number of an account's entries. Besides head, the only rows of the books that change.
  CREATE TABLE books.balances (
    account_id bigint PRIMARY KEY REFERENCES books.accounts,
    amount numeric(38, 0) NOT NULL,
    entries bigint NOT NULL
  );

  -- Postings of facts that are recorded and not due yet. A row is deleted in the transaction that posts it.
  CREATE TABLE books.scheduled (
    source text NOT NULL,
    rule text NOT NULL,
    due_at timestamptz NOT NULL,
    digest bytea NOT NULL,
    posting jsonb NOT NULL,
    PRIMARY KEY (source, rule)
  );
  CREATE INDEX scheduled_due ON books.scheduled (due_at);

  -- Posts a batch, each (source, rule) once. p_accounts: {name, unit, class, owner_id, balance} of every account named.
  -- A posting: {id, source, rule, order_key, order_id, reverses, estimated, effective_at, due_at, transfers}, where a
  -- transfer is {debit, credit, unit, amount, debit_kind, credit_kind}. One with a due_at after p_now is scheduled.
  -- Other content under a known (source, rule) fails the batch with SQLSTATE LB001.
  CREATE FUNCTION books.post(p_accounts jsonb, p_postings jsonb, p_now timestamptz)
  RETURNS TABLE (posted bigint, scheduled bigint, repeated bigint)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $post$
  DECLARE
    v_seq bigint;
    v_at timestamptz;
    v_other text;
    v_new jsonb;
  BEGIN
    SELECT h.seq, greatest(h.recorded_at, p_now) INTO v_seq, v_at FROM books.head AS h FOR UPDATE;

    -- Every statement from here on sees what the batches before have committed.
    SELECT string_agg(DISTINCT each ->> 'source' || ' ' || (each ->> 'rule'), ', ') INTO v_other
    FROM (
      SELECT value AS each, sha256(convert_to(value::text, 'UTF8')) AS digest,
        first_value(sha256(convert_to(value::text, 'UTF8'))) OVER (PARTITION BY value ->> 'source', value ->> 'rule') AS first
      FROM jsonb_array_elements(p_postings)
    ) AS given
    LEFT JOIN books.journal AS j ON j.source = each ->> 'source' AND j.rule = each ->> 'rule'
    LEFT JOIN books.scheduled AS s ON s.source = each ->> 'source' AND s.rule = each ->> 'rule'
    WHERE given.digest <> coalesce(j.digest, s.digest, given.first);
    IF v_other IS NOT NULL THEN
      RAISE EXCEPTION 'posted before with other content: %', v_other USING ERRCODE = 'LB001';
    END IF;
    INSERT INTO books.accounts (name, unit, class, owner_id, balance)
    SELECT DISTINCT a.name, a.unit, a.class, a.owner_id, a.balance
    FROM jsonb_to_recordset(p_accounts) AS a (name text, unit text, class text, owner_id text, balance text)
    WHERE NOT EXISTS (SELECT FROM books.accounts AS known WHERE known.name = a.name AND known.unit = a.unit)
    -- An owner's `pending` before its `available`: entries of one line are listed by account, in the order money moves.
    ORDER BY a.name DESC, a.unit;

    INSERT INTO books.scheduled AS s (source, rule, due_at, digest, posting)
    SELECT value ->> 'source', value ->> 'rule', (value ->> 'due_at')::timestamptz,
      sha256(convert_to(value::text, 'UTF8')), value
    FROM jsonb_array_elements(p_postings)
    WHERE (value ->> 'due_at')::timestamptz > p_now
      AND NOT EXISTS (
        SELECT FROM books.journal AS j WHERE j.source = value ->> 'source' AND j.rule = value ->> 'rule')
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS scheduled = ROW_COUNT;

    -- What is to be posted, with its place in the journal.
    SELECT coalesce(jsonb_agg(value || jsonb_build_object('seq', v_seq + place, 'digest', digest)), '[]'),
      count(*)
    INTO v_new, posted
    FROM (
      SELECT value, encode(sha256(convert_to(value::text, 'UTF8')), 'hex') AS digest,
        row_number() OVER (ORDER BY min(ordinality)) AS place
      FROM jsonb_array_elements(p_postings) WITH ORDINALITY
      WHERE coalesce((value ->> 'due_at')::timestamptz <= p_now, true)
        AND NOT EXISTS (
          SELECT FROM books.journal AS j WHERE j.source = value ->> 'source' AND j.rule = value ->> 'rule')
      GROUP BY value
    ) AS fresh;
    repeated := jsonb_array_length(p_postings) - posted - scheduled;
    IF posted = 0 THEN
      RETURN NEXT;
      RETURN;
    END IF;

    INSERT INTO books.journal
      (seq, id, source, rule, digest, order_key, order_id, reverses, estimated, effective_at, recorded_at)
    SELECT n.seq, n.id, n.source, n.rule, decode(n.digest, 'hex'), n.order_key, n.order_id, n.reverses, n.estimated,
      n.effective_at, v_at
    FROM jsonb_to_recordset(v_new) AS n (
      seq bigint, id text, source text, rule text, digest text, order_key text, order_id text, reverses text,
      estimated boolean, effective_at timestamptz);

    -- An account that is not registered leaves null, which no transfer may have.
    INSERT INTO books.transfers (seq, line, debit, credit, unit, amount)
    SELECT (n ->> 'seq')::bigint, t.line, d.id, c.id, t.each ->> 'unit', (t.each ->> 'amount')::numeric
    FROM jsonb_array_elements(v_new) AS n
    CROSS JOIN jsonb_array_elements(n -> 'transfers') WITH ORDINALITY AS t (each, line)
    LEFT JOIN books.accounts AS d ON d.name = t.each ->> 'debit' AND d.unit = t.each ->> 'unit'
    LEFT JOIN books.accounts AS c ON c.name = t.each ->> 'credit' AND c.unit = t.each ->> 'unit';

    WITH sides AS (
      SELECT a.id AS account_id, (n ->> 'seq')::bigint AS seq, t.line, side.kind,
        side.sign * (t.each ->> 'amount')::numeric AS amount, side.sign
      FROM jsonb_array_elements(v_new) AS n
      CROSS JOIN jsonb_array_elements(n -> 'transfers') WITH ORDINALITY AS t (each, line)
      CROSS JOIN LATERAL (VALUES
        (t.each ->> 'debit', t.each ->> 'debit_kind', -1), (t.each ->> 'credit', t.each ->> 'credit_kind', 1)
      ) AS side (name, kind, sign)
      JOIN books.accounts AS a ON a.name = side.name AND a.unit = t.each ->> 'unit' AND a.owner_id IS NOT NULL
    ), numbered AS (
      SELECT s.*, row_number() OVER earlier AS place, sum(s.amount) OVER earlier AS total
      FROM sides AS s
      WINDOW earlier AS (PARTITION BY s.account_id ORDER BY s.seq, s.line, s.sign ROWS UNBOUNDED PRECEDING)
    )
    INSERT INTO books.entries (account_id, number, seq, line, kind, amount, balance_after)
    SELECT n.account_id, coalesce(b.entries, 0) + n.place, n.seq, n.line, n.kind, n.amount,
      coalesce(b.amount, 0) + n.total
    FROM numbered AS n LEFT JOIN books.balances AS b USING (account_id);

    INSERT INTO books.balances AS b (account_id, amount, entries)
    SELECT e.account_id, sum(e.amount), count(*) FROM books.entries AS e WHERE e.seq > v_seq GROUP BY e.account_id
    ON CONFLICT (account_id) DO UPDATE SET
      amount = b.amount + excluded.amount, entries = b.entries + excluded.entries;

    DELETE FROM books.scheduled AS s USING jsonb_to_recordset(v_new) AS n (source text, rule text)
    WHERE s.source = n.source AND s.rule = n.rule;
    UPDATE books.head SET seq = v_seq + posted, recorded_at = v_at;
    RETURN NEXT;
  END
  $post$;

  -- Posts the scheduled postings that are due, oldest first. Returns how many it posted.
  CREATE FUNCTION books.post_due(p_now timestamptz, p_limit integer) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $due$
  DECLARE
    v_due jsonb;
    v_posted bigint;
  BEGIN
    PERFORM FROM books.head FOR UPDATE;
    SELECT coalesce(jsonb_agg(due.posting ORDER BY due.due_at, due.source, due.rule), '[]') INTO v_due
    FROM (
      SELECT * FROM books.scheduled WHERE due_at <= p_now ORDER BY due_at, source, rule LIMIT p_limit
    ) AS due;
    SELECT done.posted INTO v_posted FROM books.post('[]', v_due, p_now) AS done;
    RETURN v_posted;
  END
  $due$;
  REVOKE ALL ON FUNCTION books.post(jsonb, jsonb, timestamptz), books.post_due(timestamptz, integer) FROM PUBLIC;
END
$migration$;
