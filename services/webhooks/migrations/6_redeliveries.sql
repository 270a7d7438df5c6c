-- Sending a destination's events again in bulk: what is wanted, how far it has come, and when it goes on.
CREATE TABLE redeliveries (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  destination_id text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'done', 'cancelled')),
  -- Events that stand in this way at the destination; null takes all that do not wait already.
  event_status text CHECK (event_status IN ('delivered', 'dead', 'missed')),
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  per_second integer NOT NULL CHECK (per_second > 0),
  sent integer NOT NULL,
  -- The last event that was looked at.
  reached_at timestamptz NOT NULL,
  reached_id text COLLATE "C" NOT NULL,
  next_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE UNIQUE INDEX redeliveries_running ON redeliveries (destination_id) WHERE status = 'running';
CREATE INDEX redeliveries_due ON redeliveries (next_at) WHERE status = 'running';
CREATE INDEX redeliveries_of ON redeliveries (destination_id, id);
