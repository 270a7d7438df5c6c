-- Whether the merchant's disputes have passed the chargeback threshold, as payments told it last, and its version.
ALTER TABLE merchants
  ADD COLUMN disputes_over boolean NOT NULL DEFAULT false,
  ADD COLUMN disputes_version bigint NOT NULL DEFAULT 0;
