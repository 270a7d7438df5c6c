import pg from 'pg'
import { readDatabaseServers } from '../settings/server-list.ts'

/** Options of every connection: bounds on each wait, and a name that the database's views show. `url`: see {@link readDatabaseServers}. */
export type ConnectionOptions = Readonly<{
  url: string
  name: string
  statementTimeoutMs: number
  lockTimeoutMs: number
  connectTimeoutMs: number
}>

const INT8 = pg.types.builtins.INT8
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid, format) =>
    oid === INT8
      ? parseInt8
      : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
}

/** Counts, sequences and cents fit a double exactly; a number that does not fit is an error, never rounded. */
const parseInt8 = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is not a safe integer`)
  return value
}

/**
 * Settings of every session. Sequential scans are disabled: a prepared statement keeps the plan that it got while a
 * table was small, and would go on scanning the table when it has grown. No statement starts parallel workers: of a
 * page whose size it does not know the planner expects a tenth of a large table, and would start two for a few rows.
 */
export const SESSION_OPTIONS = '-c enable_seqscan=off -c max_parallel_workers_per_gather=0'

/** How much longer than the server a client waits for an answer; then the server is frozen or cut off. */
const ANSWER_MARGIN_MS = 1_000

/** Settings for `pg.Pool` and `pg.Client`. */
export const clientConfig = (options: ConnectionOptions): pg.ClientConfig => ({
  connectionString: readDatabaseServers(options.url).url,
  application_name: options.name,
  options: SESSION_OPTIONS,
  statement_timeout: options.statementTimeoutMs,
  query_timeout: options.statementTimeoutMs + ANSWER_MARGIN_MS,
  lock_timeout: options.lockTimeoutMs,
  idle_in_transaction_session_timeout: options.statementTimeoutMs * 2,
  connectionTimeoutMillis: options.connectTimeoutMs,
  keepAlive: true,
  types,
})
