-- A refund of unknown money has no order.
ALTER TABLE transfers
  DROP CONSTRAINT transfers_refund,
  ADD CONSTRAINT transfers_refund CHECK (
    (purpose = 'refund') = (coalesce(order_id, unattributed_money_id) IS NOT NULL AND key_index IS NOT NULL
      AND amount IS NOT NULL)) NOT VALID;
