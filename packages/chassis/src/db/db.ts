import type { DomainEvent, EventName, EventOf } from '@causeway/contracts'
import pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { NotDoneError } from '../outcome.ts'
import { appendEvents, assertOwned } from '../outbox/append.ts'
import { readDatabaseServers } from '../settings/server-list.ts'
import { span } from '../telemetry/span.ts'
import { createClientClass } from './client.ts'
import { clientConfig } from './connection.ts'
import { createCopyConnections } from './copy-connections.ts'
import type { CopyTarget } from './copy-into.ts'
import { notDone, wasNotSent, wasRolledBack } from './faults.ts'
import { createPipelinedConnections } from './pipelined-connections.ts'
import { createPrimaryFinder } from './primary-finder.ts'
import { parseRows, type Queryable } from './statement.ts'

/** A transaction: statements, and events that are appended to the outbox just before its COMMIT. */
export type Transaction = Queryable & { emit<N extends EventName>(event: EventOf<N>): void }

/** The database. A statement outside of a transaction uses a pipelined connection and is committed by itself. */
export type Db = Queryable &
  CopyTarget & {
    /** For slow statements: each uses a connection of the pool, where no other statement waits behind it. */
    pooled: Queryable
    /**
     * Runs work in one transaction. A refusal that it returns rolls everything back.
     * @throws NotDoneError when provably nothing was done; any other error leaves the outcome open
     */
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
    /** Opens the pipelined connections and one of the pool ahead of the first request, which would wait for them. */
    open(): Promise<void>
    /** Called after each commit that appended events, to wake the relay. */
    onEmitted(wake: () => void): void
    /** To be called after a statement outside of a transaction has appended events. */
    emitted(): void
    ping(): Promise<void>
    close(): Promise<void>
  }

export type DbOptions = Readonly<{
  url: string
  name: string
  log: Logger
  clock: Clock
  poolSize: number
  pipelinedConnections: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  /** What every timeout is multiplied by; left out: 1. */
  timeoutFactor?: number
}>

const STATEMENT_TIMEOUT_MS = 5_000
const LOCK_TIMEOUT_MS = 3_000
/** Also bounds the wait for a connection of the pool. */
const CONNECT_TIMEOUT_MS = 3_000

const warnOfLost = (log: Logger) => (error: Error) =>
  log.warn({ event: 'db.connection_lost', error }, 'An idle database connection was lost')

const isRefusal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { ok?: unknown }).ok === false

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>

const traced = <T>({ name }: Readonly<{ name: string }>, run: () => Promise<T>): Promise<T> =>
  span.around(name, 'client', { 'db.system.name': 'postgresql', 'db.query.summary': name }, run)

/** Runs statements through `run`: binds their values, parses their rows, records a span for each. */
const queryableOver = (run: Run): Queryable => ({
  query: (declared, values) =>
    traced(declared, async () => {
      const { name, text } = declared
      const query: pg.QueryArrayConfig = { name, text, values: declared.bind(values), rowMode: 'array' }
      return parseRows(declared, (await run(query)) as unknown as pg.QueryArrayResult)
    }),
})

const beginOn = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw new NotDoneError('The database cannot be reached', { cause: error })
  })
  try {
    await client.query('BEGIN')
    return client
  } catch (error) {
    // A client that is not given back takes its place in the pool for ever, and the pool never ends.
    client.release(true)
    throw new NotDoneError('The database cannot be reached', { cause: error })
  }
}

const runPooled = async (pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> => {
  try {
    return await pool.query(query)
  } catch (error) {
    throw notDone(error) ?? error
  }
}

/** A pool for transactions, pipelined connections for single statements, and connections for COPY, all to one server. */
const openConnections = (options: DbOptions) => {
  const { timeoutFactor = 1 } = options
  const connection = {
    url: options.url,
    name: options.name,
    statementTimeoutMs: (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS) * timeoutFactor,
    lockTimeoutMs: (options.lockTimeoutMs ?? LOCK_TIMEOUT_MS) * timeoutFactor,
    connectTimeoutMs: CONNECT_TIMEOUT_MS * timeoutFactor,
  }
  const config = clientConfig(connection)
  const finder = createPrimaryFinder(readDatabaseServers(options.url).servers, {
    ...config,
    connectionTimeoutMillis: connection.connectTimeoutMs / 2,
  })
  const Client = createClientClass(finder)
  const pool = new pg.Pool({ ...config, Client, max: options.poolSize, idleTimeoutMillis: 60_000 })
  const onIdleLost = warnOfLost(options.log)
  pool.on('error', onIdleLost)
  // A connection lost between two statements fails the next statement; an unhandled `error` event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const pipelined = createPipelinedConnections({
    ...connection,
    Client,
    pipelinedConnections: options.pipelinedConnections,
    maxQueued: 10_000,
    log: options.log,
  })
  return { pool, pipelined, copies: createCopyConnections({ ...connection, Client }, onIdleLost) }
}

/** Opens a service's database. */
export const createDb = (options: DbOptions): Db => {
  const { pool, pipelined, copies } = openConnections(options)
  let wake = () => {}

  const runIn = async <T>(client: pg.PoolClient, work: (tx: Transaction) => Promise<T>) => {
    const events: DomainEvent[] = []
    const queryable = queryableOver((query) => client.query(query))
    const emit = <N extends EventName>(event: EventOf<N>) => {
      assertOwned(options.name, event)
      events.push(event)
    }
    const value = await work({ ...queryable, emit })
    if (isRefusal(value)) {
      await client.query('ROLLBACK')
      return { value, emitted: false }
    }
    if (events.length > 0) await appendEvents(queryable, events)
    await client.query('COMMIT')
    return { value, emitted: events.length > 0 }
  }

  return {
    ...queryableOver((query) => pipelined.run(query)),
    pooled: queryableOver((query) => runPooled(pool, query)),
    copy: (copy) => traced(copy, () => copies.run(copy)),
    async transaction(work) {
      const client = await beginOn(pool)
      let broken: Error | undefined
      try {
        const done = await runIn(client, work)
        if (done.emitted) wake()
        return done.value
      } catch (error) {
        broken = await rollBack(client)
        if (wasRolledBack(error) || wasNotSent(error))
          throw new NotDoneError('The transaction was undone', { cause: error })
        throw error
      } finally {
        client.release(broken)
      }
    },
    async open() {
      const [client] = await Promise.all([pool.connect(), pipelined.open()])
      client.release()
    },
    onEmitted: (listener) => {
      wake = listener
    },
    emitted: () => wake(),
    async ping() {
      await pipelined.run({ name: 'chassis.ping', text: 'SELECT 1' })
    },
    async close() {
      await Promise.all([pipelined.close(), pool.end(), copies.close()])
    },
  }
}

/** Rolls back. @returns the fault of a connection that cannot, so that the pool drops it */
const rollBack = async (client: pg.PoolClient): Promise<Error | undefined> => {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
