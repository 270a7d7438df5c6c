-- Notices of card processors that were acted upon, for as long as one of them might be posted again by somebody else.
CREATE TABLE card_notices_taken (
  processor text NOT NULL,
  notice_id text NOT NULL,
  taken_at timestamptz NOT NULL,
  PRIMARY KEY (processor, notice_id)
);
CREATE INDEX card_notices_taken_by_age ON card_notices_taken (taken_at);
