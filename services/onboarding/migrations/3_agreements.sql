-- Agreements, their versions, and who has accepted them.

-- revision: counted up by every publication. A relationship whose agreements_revision is lower has not been told of it.
CREATE TABLE agreement_catalogue (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL DEFAULT 0
);
INSERT INTO agreement_catalogue DEFAULT VALUES;

CREATE TABLE agreements (
  id text COLLATE "C" PRIMARY KEY,
  current_version text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL
);

-- Versions never change. content: the published document, byte for byte; content_hash: its SHA-256.
CREATE TABLE agreement_versions (
  agreement_id text COLLATE "C" NOT NULL REFERENCES agreements,
  version text COLLATE "C" NOT NULL,
  title text NOT NULL,
  effective_date date NOT NULL,
  parties jsonb NOT NULL,
  disclosure text NOT NULL,
  content bytea NOT NULL,
  content_type text NOT NULL,
  content_hash text NOT NULL,
  published_at timestamptz NOT NULL,
  CONSTRAINT agreement_versions_key PRIMARY KEY (agreement_id, version)
);

-- One record a relationship and version, the first. evidence_sealed: what a partner sends here may tell about people.
CREATE TABLE acceptances (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  partner_customer_id text COLLATE "C" NOT NULL REFERENCES relationships,
  agreement_id text COLLATE "C" NOT NULL,
  agreement_version text COLLATE "C" NOT NULL,
  content_hash text NOT NULL,
  acceptance_channel text NOT NULL,
  accepted_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  evidence_sealed text NOT NULL,
  CONSTRAINT acceptances_once UNIQUE (partner_customer_id, agreement_id, agreement_version),
  FOREIGN KEY (agreement_id, agreement_version) REFERENCES agreement_versions
);

-- agreement_required: whether a current agreement was not accepted, as last announced. What is true now is derived.
ALTER TABLE relationships
  ADD COLUMN agreement_required boolean NOT NULL DEFAULT false,
  ADD COLUMN agreements_revision bigint NOT NULL DEFAULT 0;
CREATE INDEX relationships_agreements_revision ON relationships (agreements_revision);
