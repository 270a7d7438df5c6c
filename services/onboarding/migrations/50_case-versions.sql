-- version: incremented by every change of what a reviewer sees of a case, so that a decision can be bound to what was read.
-- status_since is from now on also moved by an edit of a pending case: the review queue shows those first that have not
-- changed for the longest time.
ALTER TABLE verifications ADD COLUMN version bigint NOT NULL DEFAULT 1;
