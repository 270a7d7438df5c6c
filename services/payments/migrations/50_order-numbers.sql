-- Numbers of orders: one row a network, and one for the keys of card orders, which are a sequence's (ADR 0072).
CREATE TABLE order_numbers (
  name text PRIMARY KEY,
  -- the next number to hand out, but of card orders, and the first one that may not be handed out before a grant
  next bigint NOT NULL,
  ceiling bigint NOT NULL,
  -- the run of the server that was granted the ceiling; null before the first grant
  run text,
  -- the transaction that wrote the row: differs from its xmin where the row is a copy
  written_by xid,
  -- when the row was last known to be all that was handed out
  seen_at timestamptz NOT NULL DEFAULT '-infinity'
);

-- Numbers that were skipped when a database began where it had been before: their addresses are watched.
CREATE TABLE skipped_numbers (
  network text NOT NULL,
  first bigint NOT NULL,
  ending bigint NOT NULL,
  -- the first one whose address is not stored yet
  next bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (network, first)
);
CREATE TABLE skipped_addresses (
  watch_address text NOT NULL,
  network text NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (watch_address, network)
);

-- The version before goes on with its sequences while both run: they continue at numbers that the table never gives.
DO $$
DECLARE
  sequence text;
  taken bigint;
BEGIN
  FOREACH sequence IN ARRAY ARRAY['btc', 'ltc', 'eth', 'sol', 'xrp'] LOOP
    -- Changes nothing, and keeps others from taking a number until the commit.
    EXECUTE format('ALTER SEQUENCE order_index_%s NO CYCLE', sequence);
    EXECUTE format('SELECT CASE WHEN is_called THEN last_value + 31 ELSE 0 END FROM order_index_%s', sequence)
      INTO taken;
    INSERT INTO order_numbers (name, next, ceiling) VALUES (upper(sequence), taken + 1, taken + 1);
    IF taken < 2146483616 THEN
      EXECUTE format('ALTER SEQUENCE order_index_%s RESTART WITH 2146483617', sequence);
    END IF;
  END LOOP;
  ALTER SEQUENCE fiat_order_key NO CYCLE;
  SELECT CASE WHEN is_called THEN last_value ELSE 1000 END INTO taken FROM fiat_order_key;
  INSERT INTO order_numbers (name, next, ceiling) VALUES ('card', taken + 1, taken + 1);
  EXECUTE format('CREATE SEQUENCE card_order_keys AS bigint MINVALUE %s NO CYCLE', taken + 1);
  ALTER SEQUENCE fiat_order_key RESTART WITH 900000000000;
END $$;
