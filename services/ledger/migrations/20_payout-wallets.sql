-- Where payouts go (decisions §50). An IBAN and the name of its holder are sealed under a key of the wallet alone.
CREATE TABLE data_keys (
  subject text COLLATE "C" PRIMARY KEY,
  key_sealed text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE payout_wallets (
  payout_wallet_id text COLLATE "C" PRIMARY KEY,
  partner_customer_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('iban', 'address')),
  unit text NOT NULL,
  -- shortened; it stays when the rest is erased
  masked text NOT NULL,
  network text,
  address text,
  -- {iban, holder_name, bic}; null for an address, and once it is erased
  account_sealed text,
  status text NOT NULL CHECK (status IN ('proof_required', 'waiting', 'active', 'refused')),
  refusal_reason text,
  confirmed_at timestamptz,
  proved_at timestamptz,
  usable_from timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  erased_at timestamptz,
  CONSTRAINT payout_wallets_kind CHECK (
    (kind = 'address') = (network IS NOT NULL) AND (kind = 'iban' OR account_sealed IS NULL)
    AND (erased_at IS NOT NULL OR (kind = 'iban') = (account_sealed IS NOT NULL AND address IS NULL))),
  -- Nobody is paid at a destination that neither staff nor its owner has vouched for.
  CONSTRAINT payout_wallets_active CHECK (status <> 'active' OR confirmed_at IS NOT NULL OR proved_at IS NOT NULL)
);
CREATE INDEX payout_wallets_owner ON payout_wallets (partner_customer_id, created_at, payout_wallet_id)
  WHERE deleted_at IS NULL;
CREATE INDEX payout_wallets_queue ON payout_wallets (status, created_at, payout_wallet_id) WHERE deleted_at IS NULL;
CREATE INDEX payout_wallets_due ON payout_wallets (usable_from)
  WHERE status = 'waiting' AND deleted_at IS NULL AND (confirmed_at IS NOT NULL OR proved_at IS NOT NULL);
CREATE INDEX payout_wallets_to_erase ON payout_wallets (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;

-- The destination of a payout; null: one that the platform does not know.
ALTER TABLE payouts ADD COLUMN payout_wallet_id text REFERENCES payout_wallets;
CREATE INDEX IF NOT EXISTS payouts_wallet ON payouts (payout_wallet_id) WHERE payout_wallet_id IS NOT NULL;
