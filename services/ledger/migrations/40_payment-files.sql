-- Files by which the bank is instructed to make payouts (decisions §50), each sealed under a separate key.
CREATE TABLE payment_files (
  payment_file_id text COLLATE "C" PRIMARY KEY,
  -- a currency
  unit text NOT NULL,
  -- in the currency's minor unit
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  -- of the file, hex
  sha256 text NOT NULL,
  -- null once it is erased
  content_sealed text,
  status text NOT NULL CHECK (status IN ('made', 'uploaded')),
  created_at timestamptz NOT NULL,
  uploaded_at timestamptz,
  erased_at timestamptz,
  CONSTRAINT payment_files_uploaded CHECK ((status = 'uploaded') = (uploaded_at IS NOT NULL)),
  CONSTRAINT payment_files_erased CHECK ((erased_at IS NULL) = (content_sealed IS NOT NULL))
);
CREATE INDEX payment_files_list ON payment_files (created_at, payment_file_id);
CREATE INDEX payment_files_to_erase ON payment_files (uploaded_at) WHERE status = 'uploaded' AND erased_at IS NULL;

-- The file of a payout. The books have it too, where it cannot be changed.
ALTER TABLE payouts ADD COLUMN payment_file_id text REFERENCES payment_files;
CREATE INDEX IF NOT EXISTS payouts_file ON payouts (payment_file_id) WHERE payment_file_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS payouts_to_pay ON payouts (currency, scheduled_for, payout_id)
  WHERE status = 'upcoming' AND payout_wallet_id IS NOT NULL AND payment_file_id IS NULL;
