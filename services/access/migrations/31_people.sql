-- People of partners and merchants, who sign in to the portal by e-mail: a row for each membership. Addresses are
-- encrypted, with a keyed hash for look-up, and deleted when a person is removed.
CREATE TABLE people (
  person_id text PRIMARY KEY,
  owner_kind text NOT NULL CHECK (owner_kind IN ('partner', 'merchant')),
  owner_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'finance', 'viewer')),
  email_mac text,
  email_sealed text,
  invited_by text NOT NULL,
  invited_at timestamptz NOT NULL,
  invitation_hash bytea UNIQUE,
  invitation_expires_at timestamptz,
  accepted_at timestamptz,
  removed_at timestamptz,
  mails_new_sign_in boolean NOT NULL DEFAULT true,
  CONSTRAINT people_address CHECK (
    (removed_at IS NULL) = (email_mac IS NOT NULL) AND (removed_at IS NULL) = (email_sealed IS NOT NULL)
  ),
  CONSTRAINT people_invitation CHECK ((invitation_hash IS NULL) = (invitation_expires_at IS NULL))
);
CREATE UNIQUE INDEX people_of_owner ON people (owner_kind, owner_id, email_mac) WHERE removed_at IS NULL;
CREATE INDEX people_by_email ON people (email_mac) WHERE removed_at IS NULL;
CREATE INDEX people_invited ON people (owner_kind, owner_id, invited_at);

-- Requests for a sign-in link, of known and unknown addresses alike. A job handles them: of a known address it sets
-- token_hash and queues the mail. browser_hash binds the link to the browser that asked.
CREATE TABLE sign_in_requests (
  sign_in_request_id text PRIMARY KEY,
  email_mac text NOT NULL,
  email_sealed text,
  browser_hash bytea NOT NULL,
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  token_hash bytea UNIQUE,
  used_at timestamptz
);
CREATE INDEX sign_in_requests_waiting ON sign_in_requests (requested_at) WHERE email_sealed IS NOT NULL;
CREATE INDEX sign_in_requests_by_email ON sign_in_requests (email_mac, requested_at);
CREATE INDEX sign_in_requests_expired ON sign_in_requests (expires_at);

-- Browsers in which a person has signed in before.
CREATE TABLE known_browsers (
  person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
  browser_hash bytea NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, browser_hash)
);
CREATE INDEX known_browsers_seen ON known_browsers (seen_at);
