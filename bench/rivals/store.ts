import { createClock, createDb, createLogger, type Db } from '@causeway/chassis'
import pg from 'pg'

/**
 * The product's tables of events and attempts, with their indexes, and of deliveries what is left of its table where
 * the queue keeps what waits: the columns and indexes of a delivery that has ended. Attempts are in one piece, for a
 * rival has no days to drop.
 */
const TABLES = `
  CREATE TABLE events (
    owner_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    type text NOT NULL,
    integration_id text COLLATE "C",
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, event_id)
  );
  CREATE INDEX events_log ON events (owner_id, created_at);
  CREATE TABLE deliveries (
    destination_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    owner_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    event_type text NOT NULL,
    state text NOT NULL CHECK (state IN ('delivered', 'dead')),
    created_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    PRIMARY KEY (destination_id, id),
    CONSTRAINT deliveries_once UNIQUE (event_id, destination_id)
  );
  CREATE INDEX deliveries_ended ON deliveries (destination_id, state, event_type, id);
  CREATE TABLE attempts (
    delivery_id text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    status_code smallint,
    latency_ms integer NOT NULL,
    error text,
    response_body text,
    PRIMARY KEY (delivery_id, at)
  )`

const LANES = 4
const POOL_SIZE = 4

export const createTables = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(TABLES)
  await client.end()
}

/** The product's own client, beside the connections of the rival: prepared statements, arrays in binary, pipelined. */
export const openStore = (url: string): Db =>
  createDb({
    url,
    name: 'rival',
    log: createLogger({ service: 'rival', level: 'warn' }),
    clock: createClock(),
    poolSize: POOL_SIZE,
    lanes: LANES,
  })
