-- Refunds made outside the API, and what comparing with the processors has found (docs/REFUNDS.md).
ALTER TABLE refunds
  ADD COLUMN source text NOT NULL DEFAULT 'api' CHECK (source IN ('api', 'processor')),
  -- when the processor was first seen to have it
  ADD COLUMN found_at timestamptz,
  ALTER COLUMN idempotency_key DROP NOT NULL,
  ADD CHECK (source = 'processor' OR idempotency_key IS NOT NULL);
CREATE UNIQUE INDEX refunds_at_processor ON refunds (processor, processor_refund_id)
  WHERE processor_refund_id IS NOT NULL;
CREATE INDEX refunds_unfound ON refunds (processor, completed_at)
  WHERE found_at IS NULL AND state IN ('succeeded', 'reconciled');

-- Comparisons with the processors: of each the one under way, the last one and the last deep one.
CREATE TABLE reconciliation_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  processor text NOT NULL,
  -- reads back over all refunds whose state may still change, not only over the latest
  is_deep boolean NOT NULL,
  -- the processor is asked for refunds since then
  since timestamptz NOT NULL,
  -- what it made before then needs no further look; by the time outside, as the processor has it
  covers_until timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- where the processor's list is read on, and whether its end was reached
  cursor text,
  is_listed boolean NOT NULL DEFAULT false,
  compared bigint NOT NULL DEFAULT 0,
  recorded bigint NOT NULL DEFAULT 0,
  -- the replica that compares
  holder text,
  lease_until timestamptz NOT NULL
);
CREATE UNIQUE INDEX reconciliation_runs_open ON reconciliation_runs (processor) WHERE finished_at IS NULL;

-- Refunds on which the platform and a processor disagree, until they agree.
CREATE TABLE refund_differences (
  id text PRIMARY KEY,
  kind text NOT NULL
    CHECK (kind IN ('missing_at_processor', 'missing_here', 'other_amount', 'other_state')),
  processor text NOT NULL,
  processor_refund_id text NOT NULL,
  -- null while no order of the platform is known for it
  partner_id text,
  order_key bigint,
  processor_order_id text,
  refund_id text,
  -- how either side has it: amount_cents, currency, status; null where it is missing
  here jsonb,
  at_processor jsonb,
  found_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  -- when staff closed it
  closed_at timestamptz,
  UNIQUE (processor, processor_refund_id)
);
CREATE INDEX refund_differences_open ON refund_differences (found_at, id) WHERE closed_at IS NULL;
