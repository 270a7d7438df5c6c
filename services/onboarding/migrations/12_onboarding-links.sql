-- Links to the hosted onboarding of one relationship. token_hash: SHA-256 of a token of 256 random bits, which is shown
-- once and kept nowhere.
CREATE TABLE onboarding_links (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  partner_customer_id text COLLATE "C" NOT NULL REFERENCES relationships,
  token_hash bytea NOT NULL CONSTRAINT onboarding_links_token UNIQUE,
  return_url text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX onboarding_links_of_relationship ON onboarding_links (partner_customer_id, expires_at);
