import {
  databaseOf,
  eventSubject,
  type Caller,
  type DomainEvent,
  type Operation,
  type SenderName,
  type ServiceName,
} from '@causeway/contracts'
import pg from 'pg'
import type { Bus } from '../bus/connect.ts'
import { call } from '../bus/call.ts'
import { createClock, type Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { ServiceConfig } from '../process.ts'
import type { ProcessConfig, Running } from '../process-parts.ts'
import { forgetEvents, testBus, testNatsUrl } from './bus.ts'
import { openTestDb, testDatabase } from './database.ts'
import { emittedEvent } from './emitted-event.ts'
import { testBusKeys } from './keys.ts'
import { TEST_DEADLINE_MS, TEST_TIMEOUT_FACTOR } from './timeouts.ts'

/** The settings that every process has. */
export const testProcessConfig = (name: SenderName, clock: Clock): ProcessConfig => ({
  natsUrl: testNatsUrl(),
  busKeys: testBusKeys(name),
  logLevel: 'silent',
  healthHost: '127.0.0.1',
  healthPort: 0,
  tracing: 'off',
  traceEndpoint: 'http://127.0.0.1:4318',
  checkReplies: true,
  timeoutFactor: TEST_TIMEOUT_FACTOR,
  clock,
})

/** The settings that every service with a database has. */
export const testServiceConfig = (name: SenderName, databaseUrl: string, clock: Clock): ServiceConfig => ({
  ...testProcessConfig(name, clock),
  databaseUrl,
  poolSize: 8,
  pipelinedConnections: 2,
})

/** A clock that moves only when the test moves it. */
export const stoppedClock = (): Clock => {
  const startedMs = Date.now()
  return createClock(() => startedMs)
}

/** A partner as a request of the gateway names it. */
export const testPartner = (partnerId = newId('partner')) => ({
  kind: 'partner' as const,
  partnerId,
  clientId: newId('client'),
})
export type TestPartner = ReturnType<typeof testPartner>

/** Parts of a request, which the contract checks when the service receives it. */
export type TestRequest = Readonly<{
  params?: unknown
  query?: unknown
  body?: unknown
  expected?: unknown
  idempotencyKey?: string
  /** True if the outcome of a call without an answer is 503; left out: false. */
  safe?: boolean
}>

/** Calls operations as the gateway or another service does. */
export const testCaller =
  (bus: Bus, clock: Clock) =>
  <O extends Operation>(operation: O, caller: Caller, request: TestRequest = {}) =>
    call(bus, clock, operation, {
      caller,
      requestId: newId('request'),
      timeoutMs: TEST_DEADLINE_MS,
      safe: false,
      ...(request as object),
    })
export type TestCaller = ReturnType<typeof testCaller>

/**
 * The parts of a service's tests that are the same for each service: a database, the bus with an empty stream of events, the
 * service's replicas, and a caller of its operations.
 */
export const openTestService = async (name: ServiceName, clock = createClock()) => {
  const database = await testDatabase(databaseOf(name))
  const bus = await testBus()
  await forgetEvents(bus)
  const db = openTestDb(database.url, clock)
  const client = new pg.Pool({ connectionString: database.url, max: 1 })
  // A server that is restarted ends idle connections.
  client.on('error', () => undefined)
  /** Runs any SQL on the database. */
  const sql = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await client.query<T>(text, values)).rows
  const replicas: Running[] = []
  const stopReplicas = async (): Promise<void> => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()))
  }
  return {
    bus,
    clock,
    /** The database, for the service's own statements. */
    db,
    sql,
    /** Settings of a replica. */
    config: testServiceConfig(name, database.url, clock),
    ask: testCaller(bus, clock),
    /** Publishes an event as the relay of its service does. */
    publishEvent: (event: DomainEvent) =>
      bus.publishEvent(eventSubject(event.name), JSON.stringify(event), event.id, null),
    /** Every event in the service's outbox, in order. */
    events: async (): Promise<DomainEvent[]> =>
      (await sql<{ payload: string }>('SELECT payload FROM outbox_events ORDER BY seq')).map(({ payload }) =>
        emittedEvent(payload),
      ),
    /** Waits for the start of a replica, which stops with the rest. */
    async addReplica(starting: Promise<Running>): Promise<Running> {
      const replica = await starting
      replicas.push(replica)
      return replica
    },
    /** The replicas that stop with the rest. */
    replicas,
    stopReplicas,
    /** @param stopOutside stops the fakes that the replicas used */
    async stop(stopOutside?: () => Promise<unknown>): Promise<void> {
      await stopReplicas()
      await stopOutside?.()
      await Promise.all([db.close(), client.end(), bus.close()])
      await database.drop()
    },
  }
}
