import pg from 'pg'
import type { Attempt } from '../../services/webhooks/src/domain/attempt.ts'
import { attemptColumns } from '../../services/webhooks/src/store/record.ts'

export type AttemptRow = Readonly<{ jobId: string; attempt: Attempt }>

const CONNECTIONS = 4
/** The product's table, in one piece: a rival has no days to drop. */
const TABLE = `
  CREATE TABLE attempts (
    delivery_id text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    status_code smallint,
    latency_ms integer NOT NULL,
    error text,
    response_body text,
    PRIMARY KEY (delivery_id, at)
  )`
const RECORD = `
  INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
  SELECT delivery_id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
  FROM unnest($1::text[], $2::float8[], $3::smallint[], $4::integer[], $5::text[], $6::text[])
    AS a (delivery_id, at_ms, status_code, latency_ms, error, response_body)
  ON CONFLICT DO NOTHING`

/** Makes the table of attempts beside a rival's own and gives what writes many of them in one statement. */
export const createAttempts = async (
  databaseUrl: string,
): Promise<(rows: readonly AttemptRow[]) => Promise<void>> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  await pool.query(TABLE)
  return async (rows) => {
    const values = [rows.map(({ jobId }) => jobId), ...attemptColumns(rows.map(({ attempt }) => attempt))]
    await pool.query({ name: 'record', text: RECORD, values })
  }
}
