-- How far facts for the ledger are made from rows that are older than the ledger (ADR 0074). source: the part that is read
-- next; position: after this row of it. due_at: null once all are made.
CREATE TABLE past_facts (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  source text,
  position text NOT NULL DEFAULT '',
  due_at timestamptz
);

-- Rows that do not tell a movement of money completely: nothing is recorded for the rest.
CREATE TABLE past_fact_gaps (
  subject text PRIMARY KEY,
  reason text NOT NULL,
  found_at timestamptz NOT NULL
);

-- Facts of an order's deposits, of which the missing ones are the difference to the deposits.
CREATE INDEX IF NOT EXISTS ledger_facts_of_deposits ON ledger_facts ((fact ->> 'order_id'))
  WHERE fact ->> 'kind' = 'deposit_moved';
