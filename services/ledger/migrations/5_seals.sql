-- Seals of the books (ADR 0079): Merkle roots over what is posted, which are never changed. May be run again, by the ledger
-- or by the server's superuser, whichever comes first.
DO $migration$
BEGIN
  IF to_regclass('books.seals') IS NOT NULL THEN
    RETURN;
  END IF;

  -- A seal covers the postings from first_seq to last_seq, all of one month (yyyy-mm of recorded_at, UTC). One that closes
  -- its month covers none (last_seq is first_seq - 1): it has a leaf for every account with entries or money.
  CREATE TABLE books.seals (
    number bigint PRIMARY KEY,
    month text NOT NULL,
    closes boolean NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    -- leaves of the tree, with the header
    size integer NOT NULL,
    root bytea NOT NULL,
    sealed_at timestamptz NOT NULL,
    CONSTRAINT seals_postings CHECK (closes = (last_seq < first_seq) AND last_seq >= first_seq - 1)
  );
  CREATE UNIQUE INDEX seals_closing ON books.seals (month) WHERE closes;

  -- An account in one month up to its seal. Leaf 0 of a tree is the header of the seal; these follow.
  CREATE TABLE books.seal_leaves (
    seal bigint NOT NULL REFERENCES books.seals,
    place integer NOT NULL CHECK (place > 0),
    account_id bigint NOT NULL REFERENCES books.accounts,
    -- numbers of the month's first and last entry; last is first - 1 where there is none
    first bigint NOT NULL,
    last bigint NOT NULL,
    opening numeric(38, 0) NOT NULL,
    closing numeric(38, 0) NOT NULL,
    -- hash of the month's lines
    lines bytea NOT NULL,
    nonce bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (seal, place)
  );
  CREATE UNIQUE INDEX seal_leaves_account ON books.seal_leaves (account_id, seal);

  -- Appends a seal and its leaves, if it is the next one; returns false where another replica was first.
  -- It refuses postings that are not there and a month that is not over (SQLSTATE LB002).
  CREATE FUNCTION books.seal(p_seal jsonb, p_leaves jsonb, p_now timestamptz) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $seal$
  DECLARE
    v_new books.seals;
    v_last books.seals;
    v_end timestamptz;
    -- null for the first seal
    v_expected text;
  BEGIN
    PERFORM FROM books.head FOR UPDATE;
    v_new := jsonb_populate_record(null::books.seals, p_seal - 'root');
    v_new.root := decode(p_seal ->> 'root', 'hex');
    v_new.sealed_at := p_now;
    SELECT * INTO v_last FROM books.seals ORDER BY number DESC LIMIT 1;
    IF v_new.number <= coalesce(v_last.number, 0) THEN
      RETURN false;
    END IF;
    v_end := (v_new.month || '-01')::timestamp AT TIME ZONE 'UTC';
    v_end := (v_end AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
    v_expected := CASE WHEN v_last.closes
      THEN to_char((v_last.month || '-01')::timestamp + interval '1 month', 'YYYY-MM') ELSE v_last.month END;
    IF v_new.number <> coalesce(v_last.number, 0) + 1
      OR v_new.first_seq <> coalesce(v_last.last_seq, 0) + 1
      OR v_new.month <> v_expected
      OR v_new.last_seq > (SELECT seq FROM books.head)
      OR EXISTS (
        SELECT FROM books.journal
        WHERE seq BETWEEN v_new.first_seq AND v_new.last_seq
          AND to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM') <> v_new.month)
      OR v_new.closes AND (
        p_now < v_end OR EXISTS (SELECT FROM books.journal WHERE seq = v_new.first_seq AND recorded_at < v_end))
    THEN
      RAISE EXCEPTION 'seal % does not follow seal %', v_new.number, v_last.number USING ERRCODE = 'LB002';
    END IF;

    INSERT INTO books.seals SELECT v_new.*;
    INSERT INTO books.seal_leaves (seal, place, account_id, first, last, opening, closing, lines, nonce, hash)
    SELECT v_new.number, l.place, l.account_id, l.first, l.last, l.opening, l.closing, decode(l.lines, 'hex'),
      decode(l.nonce, 'hex'), decode(l.hash, 'hex')
    FROM jsonb_to_recordset(p_leaves) AS l (
      place integer, account_id bigint, first bigint, last bigint, opening numeric, closing numeric, lines text,
      nonce text, hash text);
    -- A replica whose clock is late cannot post into a closed month.
    IF v_new.closes THEN
      UPDATE books.head SET recorded_at = greatest(recorded_at, v_end);
    END IF;
    RETURN true;
  END
  $seal$;
  REVOKE ALL ON FUNCTION books.seal(jsonb, jsonb, timestamptz) FROM PUBLIC;
END
$migration$;
