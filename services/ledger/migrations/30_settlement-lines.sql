-- Lines of the settlement reports of card processors (decisions §51), as the processor states them. Amounts are in the
-- currency's minor unit, signed as they change the balance at the processor. A line is stored once and never changed.
CREATE TABLE settlement_lines (
  processor text NOT NULL,
  line_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'payout')),
  processor_order_id text,
  gross_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  net_cents bigint NOT NULL,
  currency text NOT NULL,
  available_on date NOT NULL,
  payout_ref text,
  imported_at timestamptz NOT NULL,
  PRIMARY KEY (processor, line_id)
);
