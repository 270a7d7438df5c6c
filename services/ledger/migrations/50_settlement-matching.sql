-- Matching of settlement lines with the journal (decisions §51, ADR 0088).

-- new: its order is not looked up yet; known: to be compared; unmatched: an open difference says that the books have no
-- counterpart, or that a payout is not the sum of its lines; done: matched, or in a difference that cannot end automatically.
ALTER TABLE settlement_lines
  ADD COLUMN order_key text,
  ADD COLUMN status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'known', 'unmatched', 'done'));
CREATE INDEX IF NOT EXISTS settlement_lines_to_match ON settlement_lines (processor, status, order_key, line_id)
  WHERE status <> 'done';
CREATE INDEX IF NOT EXISTS settlement_lines_of_payout ON settlement_lines (processor, payout_ref) WHERE payout_ref IS NOT NULL;
CREATE INDEX IF NOT EXISTS settlement_lines_payouts ON settlement_lines (processor, available_on) WHERE kind = 'payout';

-- What processors must settle, read from the journal in its order. Amounts are signed as they change what the processor owes.
CREATE TABLE settlement_items (
  -- the fact, and which of its amounts: a dispute's fee in another currency is a separate one
  source text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_reversal', 'fee')),
  processor text NOT NULL,
  order_key text NOT NULL,
  order_id text,
  owner_id text NOT NULL,
  currency text NOT NULL,
  amount_cents bigint NOT NULL,
  -- a fee in this currency that the books have; null: none
  booked_fee_cents bigint,
  estimated boolean NOT NULL,
  effective_at timestamptz NOT NULL,
  -- missing: an open difference says that the processor has no line for it
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'missing', 'done')),
  PRIMARY KEY (source, kind)
);
CREATE INDEX settlement_items_to_match ON settlement_items (processor, order_key) WHERE status <> 'done';
CREATE INDEX settlement_items_waiting ON settlement_items (processor, effective_at) WHERE status = 'open';

-- Number of the last posting that was read. Its row lock lets one replica at a time match.
CREATE TABLE settlement_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  seq bigint NOT NULL
);
INSERT INTO settlement_progress (seq) VALUES (0);

-- Contents of the postings that matching makes, by their sources: a rebuild of the books repeats them.
CREATE TABLE settlement_postings (
  source text PRIMARY KEY,
  processor text NOT NULL,
  order_key text,
  order_id text,
  effective_at timestamptz NOT NULL,
  -- [{from, to, unit, amount, kind}]: names of accounts, and the kind of an owner's entry
  movements jsonb NOT NULL
);

-- What disagrees with the books. Amounts are in the smallest part of their unit.
CREATE TABLE differences (
  difference_id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('missing_here', 'missing_there', 'other_amount', 'other_currency', 'other_fee', 'sum')),
  -- processor:{key}
  source text NOT NULL,
  line_id text,
  -- the amount of the journal
  item_source text,
  item_kind text,
  order_key text,
  owner_id text,
  unit text NOT NULL,
  expected numeric(38, 0),
  found numeric(38, 0),
  found_unit text NOT NULL,
  found_at timestamptz NOT NULL,
  -- matched: its counterpart has come
  status text NOT NULL CHECK (status IN ('open', 'closed', 'matched')),
  ended_at timestamptz,
  reason text,
  adjustment_id text,
  CONSTRAINT differences_ended CHECK ((status = 'open') = (ended_at IS NULL))
);
CREATE INDEX differences_by_status ON differences (status, found_at, difference_id);
CREATE UNIQUE INDEX differences_open_line ON differences (source, line_id) WHERE status = 'open' AND line_id IS NOT NULL;
CREATE UNIQUE INDEX differences_open_item ON differences (item_source, item_kind)
  WHERE status = 'open' AND item_source IS NOT NULL;
