-- Payouts from the treasury (ADR 0089), whose address has the number -1. Every row that exists satisfies both constraints:
-- they had narrower ones.
ALTER TABLE transfers
  DROP CONSTRAINT transfers_purpose_check,
  ADD CONSTRAINT transfers_purpose_check CHECK (purpose IN ('refund', 'sweep', 'payout')) NOT VALID,
  DROP CONSTRAINT transfers_refund,
  ADD CONSTRAINT transfers_refund CHECK (
    purpose = 'payout' AND order_id IS NULL AND unattributed_money_id IS NULL AND key_index = -1 AND amount IS NOT NULL
    OR purpose <> 'payout' AND (purpose = 'refund') = (
      coalesce(order_id, unattributed_money_id) IS NOT NULL AND key_index IS NOT NULL AND amount IS NOT NULL)) NOT VALID;

-- Payouts that were signed on a UTC day, by unit. The row's lock makes the limit exact.
CREATE TABLE payout_spending (
  day date NOT NULL,
  unit text NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (day, unit)
);
