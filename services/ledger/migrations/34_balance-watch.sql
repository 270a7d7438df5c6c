-- Postings up to this number have been examined for balances that fell below zero (decisions §49). Those of before are not
-- announced.
CREATE TABLE balance_watch (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  through_seq bigint NOT NULL
);
INSERT INTO balance_watch (through_seq) SELECT seq FROM books.head;
