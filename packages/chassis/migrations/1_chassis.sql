-- Tables that every service has: events waiting for the stream, events already handled,
-- answers stored under an idempotency key, events that could not be handled.

CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  subject text NOT NULL,
  payload text NOT NULL,
  traceparent text,
  created_at timestamptz NOT NULL,
  published_at timestamptz,
  stream_seq bigint
);
-- The relay reads what is unpublished in order; published rows cost this index nothing.
CREATE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;

-- One row: which replica relays, and how far the stream it published to had come.
CREATE TABLE outbox_relay (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  holder text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  stream_created text,
  stream_seq bigint NOT NULL DEFAULT 0
);
INSERT INTO outbox_relay DEFAULT VALUES;

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, event_id)
);

CREATE TABLE parked_events (
  consumer text NOT NULL,
  event_id text NOT NULL,
  subject text NOT NULL,
  payload text NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, event_id)
);

CREATE TABLE idempotency_keys (
  partner_id text NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  request_id text NOT NULL,
  variant text,
  reply_json text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (partner_id, operation, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
