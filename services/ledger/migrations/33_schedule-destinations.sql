-- Where the payouts of a schedule go; null: a destination that the platform does not know.
ALTER TABLE payout_schedules ADD COLUMN payout_wallet_id text REFERENCES payout_wallets;
CREATE INDEX IF NOT EXISTS payout_schedules_wallet ON payout_schedules (payout_wallet_id)
  WHERE payout_wallet_id IS NOT NULL;
