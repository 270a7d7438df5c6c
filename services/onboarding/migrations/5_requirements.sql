-- Outstanding items of a case. They are the merchant's: every one of its relationships sees them.

-- raised_by: the partner that raised it; null for the platform itself.
CREATE TABLE requirements (
  id text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchants,
  raised_by text COLLATE "C",
  kind text NOT NULL CHECK (kind IN ('document', 'field', 'clarification')),
  target text,
  document_type text,
  message text NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'fulfilled', 'satisfied', 'cancelled')),
  document_id text COLLATE "C" REFERENCES documents,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  resolved_at timestamptz
);
CREATE INDEX requirements_of_merchant ON requirements (merchant_id, created_at, id);
CREATE INDEX requirements_outstanding ON requirements (merchant_id) WHERE status IN ('open', 'fulfilled');
