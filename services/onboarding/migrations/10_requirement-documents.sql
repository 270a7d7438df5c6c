-- Deleting a document, as erasing personal data does, looks for the requirements that name it: once for each document,
-- and again for the foreign key.
CREATE INDEX IF NOT EXISTS requirements_of_document ON requirements (document_id) WHERE document_id IS NOT NULL;
