-- Evidence documents. Their bytes lie in the blob store, encrypted; what is needed to find and open them is here.

-- An upload under way: written before its first byte is stored, gone when the document's row is written or the bytes
-- are deleted again. What stays here, an upload that broke off, is what the sweep deletes. discarding: its bytes are
-- being deleted, so no document may come of it any more.
CREATE TABLE document_uploads (
  blob_key text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  partner_customer_id text COLLATE "C" NOT NULL REFERENCES relationships,
  discarding boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL
);
CREATE INDEX document_uploads_age ON document_uploads (started_at);

-- Rows are only ever added. file_name_sealed: names of files tell about people. blob_secret_sealed: the key of this
-- one document's bytes, itself encrypted, so that rotating the root key leaves the bytes as they are.
CREATE TABLE documents (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  partner_customer_id text COLLATE "C" NOT NULL REFERENCES relationships,
  document_type text NOT NULL,
  file_name_sealed text NOT NULL,
  mime_type text NOT NULL,
  file_size_bytes integer NOT NULL CHECK (file_size_bytes > 0),
  status text NOT NULL CHECK (status IN ('uploaded', 'accepted', 'rejected')),
  rejection_reason text,
  blob_key text COLLATE "C" NOT NULL CONSTRAINT documents_blob UNIQUE,
  blob_secret_sealed text NOT NULL,
  uploaded_at timestamptz NOT NULL,
  reviewed_at timestamptz
);
CREATE INDEX documents_of_relationship ON documents (partner_customer_id, uploaded_at, id);
