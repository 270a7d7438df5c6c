-- Finds the lines of an order, and what the bank booked for a processor's payout.
CREATE INDEX IF NOT EXISTS settlement_lines_order ON settlement_lines (order_key) WHERE order_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS bank_lines_reference ON bank_lines (reference) WHERE payout_id IS NULL;
