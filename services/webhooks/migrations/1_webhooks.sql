-- Destinations, the log of events, their deliveries and every attempt.
-- Ids are TypeIDs: compared byte by byte they sort by time.

-- Counts every change of any destination. Whoever changes one locks this row until its commit, so that revisions
-- become visible in order and a reader that asks for what is newer than its last one misses nothing.
CREATE TABLE destination_revision (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL
);
INSERT INTO destination_revision (revision) VALUES (0);

CREATE TABLE destinations (
  id text COLLATE "C" PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('partner', 'merchant')),
  owner_id text COLLATE "C" NOT NULL,
  -- Merchant channel: the integration whose events it takes; null takes all.
  integration_id text COLLATE "C",
  url text NOT NULL,
  -- Empty takes every type.
  event_types text[] NOT NULL,
  secret_sealed text NOT NULL,
  revision bigint NOT NULL,
  created_at timestamptz NOT NULL,
  -- Set when it is deleted; the row goes once nothing refers to it.
  removed_at timestamptz
);
CREATE INDEX destinations_owner ON destinations (channel, owner_id, id) WHERE removed_at IS NULL;
CREATE INDEX destinations_revision ON destinations (revision);
CREATE INDEX destinations_removed ON destinations (id) WHERE removed_at IS NOT NULL;

-- What each owner was told or would have been: one row an event and owner, with the body that every attempt sends.
CREATE TABLE events (
  owner_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  integration_id text COLLATE "C",
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, event_id)
);

CREATE TABLE deliveries (
  destination_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
  -- 0: its first attempt is yet to come; 1: a retry or a redelivery.
  lane smallint NOT NULL,
  -- Retries used of the present run of the schedule.
  retries_used smallint NOT NULL,
  -- When it may be claimed; while it is leased, when the lease ends.
  due_at timestamptz NOT NULL,
  -- When the schedule wants the next attempt; null once the delivery has ended.
  next_attempt_at timestamptz,
  lease_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (destination_id, id),
  CONSTRAINT deliveries_once UNIQUE (event_id, destination_id)
);
-- The claim reads the first due rows of one lane of one destination, whatever waits elsewhere.
CREATE INDEX deliveries_waiting ON deliveries (lane, destination_id, due_at, id) WHERE state = 'waiting';
-- Claims walk the front of that index: rows that are done must leave it soon.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2);

-- The time is part of the key, so that the table can be partitioned by day.
CREATE TABLE attempts (
  delivery_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  status_code smallint,
  latency_ms integer NOT NULL,
  error text,
  response_body text,
  PRIMARY KEY (delivery_id, at)
);
