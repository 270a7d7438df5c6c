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
import { notDone, wasNotSent, wasRolledBack, withOtherPassword } from './faults.ts'
import { createPipelinedConnections } from './pipelined-connections.ts'
import { measurePool } from './pool-metrics.ts'
import { createPrimaryFinder } from './primary-finder.ts'
import { parseRows, type Queryable } from './statement.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** A transaction: statements, and events that are appended to the outbox just before its COMMIT. */
export type Transaction = Queryable & { emit<N extends EventName>(event: EventOf<N>): void }

/** The database. A statement outside of a transaction uses a pipelined connection and is committed separately. */
export type Db = Queryable & {
  /** For slow statements: each uses a connection of the pool, where no other statement waits behind it. */
  pooled: Queryable
  /**
   * Runs work in one transaction. A refusal that it returns rolls everything back.
   * @throws NotDoneError when provably nothing was done; any other error leaves the outcome open
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Opens the pipelined connections and one of the pool ahead of the first request, which would wait for them. Waits for
   * a database that is unavailable.
   */
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
  /** The URL as it is now, of which a new connection takes the password; left out: `url`. */
  currentUrl?: () => string
  name: string
  log: Logger
  clock: Clock
  poolSize: number
  pipelinedConnections: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  /** Factor of all timeouts; left out: 1. */
  timeoutFactor?: number
  /**
   * While this is true, statements and transactions that were provably not done run again, without end, when the database
   * is unavailable: the process starts, and no request waits. Left out: false.
   */
  isStarting?: () => boolean
}>

const STATEMENT_TIMEOUT_MS = 5_000
const LOCK_TIMEOUT_MS = 3_000
/** Also bounds the wait for a connection of the pool. */
const CONNECT_TIMEOUT_MS = 3_000

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

type Connections = Readonly<{ pool: pg.Pool; measured: ReturnType<typeof measurePool> }>

const connectTo = ({ pool, measured }: Connections): Promise<pg.PoolClient> =>
  measured
    .waiting(() => withOtherPassword(() => pool.connect()))
    .catch((error: unknown) => {
      throw new NotDoneError('The database cannot be reached', { cause: error })
    })

const beginOn = async (connections: Connections): Promise<pg.PoolClient> => {
  const client = await connectTo(connections)
  try {
    await client.query('BEGIN')
    return client
  } catch (error) {
    // A client that is not released occupies its place in the pool permanently, and the pool never ends.
    client.release(true)
    throw new NotDoneError('The database cannot be reached', { cause: error })
  }
}

const runPooled = async (connections: Connections, query: pg.QueryConfig): Promise<pg.QueryResult> => {
  const client = await connectTo(connections)
  let fault: unknown
  try {
    return await client.query(query)
  } catch (error) {
    fault = error
    throw notDone(error) ?? error
  } finally {
    // As the pool does it for its own statements: after any error the connection is closed.
    client.release(fault !== undefined)
  }
}

/** A pool for transactions, and pipelined connections for single statements, both to one server. */
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
  const { currentUrl = () => options.url } = options
  const finder = createPrimaryFinder(
    {
      servers: readDatabaseServers(options.url).servers,
      passwords: () => readDatabaseServers(currentUrl()).passwords,
    },
    { ...config, connectionTimeoutMillis: connection.connectTimeoutMs / 2 },
  )
  const Client = createClientClass(finder)
  const pool = new pg.Pool({ ...config, Client, max: options.poolSize, idleTimeoutMillis: 60_000 })
  pool.on('error', (error) => {
    // A pool that has ended still closes its connections: a server that stops then ends them first.
    if (pool.ending) return
    options.log.warn({ event: 'db.connection_lost', error }, 'An idle database connection was lost')
  })
  // A connection lost between two statements fails the next statement; an unhandled `error` event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const pipelined = createPipelinedConnections({
    ...connection,
    Client,
    pipelinedConnections: options.pipelinedConnections,
    maxQueued: 10_000,
    log: options.log,
  })
  return { pool, measured: measurePool(pool), pipelined }
}

/** Opens a service's database. */
export const createDb = (options: DbOptions): Db => {
  const { pipelined, ...connections } = openConnections(options)
  const { pool, measured } = connections
  const { isStarting = () => false } = options
  const repeats = (error: unknown) => error instanceof NotDoneError && isStarting()
  const waiting = <T>(step: () => Promise<T>) => waitForDatabase(options.log, step, repeats)
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
    ...queryableOver((query) => waiting(() => pipelined.run(query))),
    pooled: queryableOver((query) => waiting(() => runPooled(connections, query))),
    async transaction(work) {
      const client = await waiting(() => beginOn(connections))
      let broken: Error | undefined
      try {
        const done = await runIn(client, work)
        if (done.emitted) wake()
        return done.value
      } catch (error) {
        broken = await rollBack(client)
        if (wasRolledBack(error) || wasNotSent(error))
          throw new NotDoneError('The transaction was rolled back', { cause: error })
        throw error
      } finally {
        client.release(broken)
      }
    },
    open: () =>
      waitForDatabase(options.log, async () => {
        const openPool = async () => (await withOtherPassword(() => pool.connect())).release()
        await Promise.all([openPool(), pipelined.open()])
      }),
    onEmitted: (listener) => {
      wake = listener
    },
    emitted: () => wake(),
    async ping() {
      await pipelined.run({ name: 'chassis.ping', text: 'SELECT 1' })
    },
    async close() {
      measured.close()
      await Promise.all([pipelined.close(), pool.end()])
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
