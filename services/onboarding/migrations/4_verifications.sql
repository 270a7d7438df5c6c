-- KYB cases: one a merchant. What partners have written for it lies in submissions, one a relationship.

-- verification: what the case means to capabilities, as last announced. verification_expires_at: when an approval
-- ends; null otherwise, so that only what may still expire is looked at.
ALTER TABLE merchants
  ADD COLUMN verification text NOT NULL DEFAULT 'required'
    CHECK (verification IN ('required', 'approved', 'expired')),
  ADD COLUMN verification_expires_at timestamptz;
CREATE INDEX merchants_verification_expiry ON merchants (verification_expires_at)
  WHERE verification_expires_at IS NOT NULL;

-- status_since: the review queue shows those first that have waited longest.
CREATE TABLE verifications (
  id text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL CONSTRAINT verifications_merchant UNIQUE REFERENCES merchants,
  status text NOT NULL CHECK (status IN ('draft', 'pending', 'approved', 'rejected')),
  status_since timestamptz NOT NULL,
  rejection_reason text,
  created_at timestamptz NOT NULL,
  submitted_at timestamptz,
  reviewed_at timestamptz,
  expires_at timestamptz
);
CREATE INDEX verifications_queue ON verifications (status, status_since, id);
CREATE INDEX verifications_all ON verifications (status_since, id);

-- data_sealed: all that the relationship wrote, encrypted as one document: people, contact and whatever a partner
-- puts into its own fields. Nothing in it is ever searched for.
CREATE TABLE submissions (
  partner_customer_id text COLLATE "C" PRIMARY KEY REFERENCES relationships,
  partner_id text COLLATE "C" NOT NULL,
  verification_id text COLLATE "C" NOT NULL REFERENCES verifications,
  data_sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz
);
CREATE INDEX submissions_of_verification ON submissions (verification_id);

-- What the reader's own data says once it was submitted: legal name and country of registration.
ALTER TABLE relationships
  ADD COLUMN customer_name text,
  ADD COLUMN customer_country text;
