-- Runs of payouts, by staff and by schedule (decisions §49).
CREATE TABLE payout_schedules (
  partner_customer_id text NOT NULL,
  -- a currency
  unit text NOT NULL,
  interval text NOT NULL CHECK (interval IN ('manual', 'daily', 'weekly', 'monthly')),
  -- monday to sunday
  weekday text,
  -- 1 to 28, or last
  day text,
  -- in the currency's minor unit
  minimum bigint NOT NULL CHECK (minimum >= 0),
  -- the next instant at which it is due; null for manual
  due_at timestamptz,
  -- the instant of the last run; a run is never of the same or an earlier one
  last_due_at timestamptz,
  PRIMARY KEY (partner_customer_id, unit),
  CHECK ((interval = 'manual') = (due_at IS NULL)),
  CHECK ((interval = 'weekly') = (weekday IS NOT NULL)),
  CHECK ((interval = 'monthly') = (day IS NOT NULL))
);
CREATE INDEX IF NOT EXISTS payout_schedules_due ON payout_schedules (due_at) WHERE due_at IS NOT NULL;

-- Runs of staff. A run with the key of an earlier one continues it.
CREATE TABLE payout_runs (
  run_id text PRIMARY KEY,
  -- the Idempotency-Key; null: none
  key text UNIQUE,
  fingerprint text NOT NULL,
  request_id text NOT NULL,
  cut_off timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- JSON, once it is complete
  answer text
);

ALTER TABLE payouts
  ADD COLUMN run_id text,
  -- the schedule by which it was made, as it was then
  ADD COLUMN schedule jsonb;
CREATE UNIQUE INDEX IF NOT EXISTS payouts_run ON payouts (run_id, owner_id, currency) WHERE run_id IS NOT NULL;

-- True while the merchant's payouts are suspended, or its link waits for a confirmation.
ALTER TABLE relationships ADD COLUMN held boolean NOT NULL DEFAULT false;
