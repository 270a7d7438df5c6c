-- Which relationships are revoked, as onboarding emits it: what waits for their partners is not sent. Rows of active ones
-- keep the version, so that a late notice of a revocation does not undo a reinstatement.
CREATE TABLE relationships (
  partner_customer_id text COLLATE "C" PRIMARY KEY,
  is_revoked boolean NOT NULL,
  version bigint NOT NULL
);
