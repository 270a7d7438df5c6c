-- Where the sequences of this outbox were given: the data folder and its history, and the transaction that wrote this row,
-- which differs from its xmin where the row is a copy. Sequences of a database that began elsewhere continue beyond all
-- that may have been given.
CREATE TABLE outbox_origin (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- null until the first look
  history text,
  written_by xid
);
INSERT INTO outbox_origin DEFAULT VALUES;
