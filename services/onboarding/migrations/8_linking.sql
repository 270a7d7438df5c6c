-- link_confirmed: false where another partner had linked the merchant already (MERCHANT_LINKING=confirmed), until the
-- link is confirmed. merchant_created_at is not read any more: partners are told when their own relationship was made.
ALTER TABLE relationships ADD COLUMN link_confirmed boolean NOT NULL DEFAULT true;

-- What is written under an unconfirmed link belongs to no case yet. held_id: the id that its partner knows it by; it
-- leads to the submission afterwards, too.
ALTER TABLE submissions
  ALTER COLUMN verification_id DROP NOT NULL,
  ADD COLUMN held_id text COLLATE "C" CONSTRAINT submissions_held UNIQUE,
  ADD CONSTRAINT submissions_known CHECK (coalesce(verification_id, held_id) IS NOT NULL);
