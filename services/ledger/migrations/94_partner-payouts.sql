-- Payouts of a partner's own earnings have no merchant: their owner is the partner (decisions §49).
ALTER TABLE payouts ALTER COLUMN merchant_id DROP NOT NULL;
ALTER TABLE payouts ADD CONSTRAINT payouts_recipient
  CHECK ((merchant_id IS NULL) = starts_with(owner_id, 'prt_')) NOT VALID;
