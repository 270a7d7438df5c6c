-- The first line of the bank is read every ten seconds, to know from which day on payouts are expected in a statement.
CREATE INDEX IF NOT EXISTS bank_lines_booked ON bank_lines (booked_at);
