-- Payouts as staff announce them (decisions §14, §49). What they pay out and how far they are is in the books; the status is
-- here once more for the lists of staff.
CREATE TABLE payouts (
  payout_id text PRIMARY KEY,
  merchant_id text NOT NULL,
  -- a relationship of the merchant, or the merchant itself
  owner_id text NOT NULL,
  -- in the currency's minor unit
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('upcoming', 'sent')),
  scheduled_for timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX payouts_queue ON payouts (status, scheduled_for, payout_id);
CREATE INDEX payouts_owner ON payouts (owner_id, created_at, payout_id);
CREATE INDEX payouts_merchant ON payouts (merchant_id, created_at, payout_id);

-- Payments sent the events of payouts before. Receivers drop an event of a payout whose sequence is below one that they have
-- seen (decisions §12): the present time in microseconds is beyond all of payments (ADR 0080).
SELECT setval(pg_get_serial_sequence('outbox_events', 'seq'), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
