import { call, createClock, createLogger, newId, type Outcome } from '@causeway/chassis'
import {
  forgetEvents,
  TEST_DEADLINE_MS,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeys,
  testDatabase,
  testNatsUrl,
} from '@causeway/chassis/testing'
import pg from 'pg'
import {
  eventSubject,
  parkedEventsOf,
  type Caller,
  type DomainEvent,
  type Operation,
} from '@causeway/contracts'
import type { z } from 'zod'
import type { LedgerConfig } from '../src/config.ts'
import { startLedger } from '../src/service.ts'
import { openDb, sumsOf } from './fixtures/books.ts'
import { createFakeOnboarding } from './fixtures/fake-onboarding.ts'

type Request = Readonly<{
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  idempotencyKey?: string
}>

/** The ledger on its own database, with events as payments publishes them. */
export const startForTests = async ({ compareEveryMs = 600_000 } = {}) => {
  const database = await testDatabase('ledger')
  const bus = await testBus()
  await forgetEvents(bus)
  const clock = createClock()
  const config: LedgerConfig = {
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    compareEveryMs,
    publicBaseUrl: 'https://api.example',
    busKeys: testBusKeys('ledger'),
    logLevel: 'silent',
    healthHost: '127.0.0.1',
    healthPort: 0,
    poolSize: 4,
    pipelinedConnections: 1,
    tracing: 'off',
    traceEndpoint: 'http://127.0.0.1:4318',
    checkReplies: true,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    clock,
  }
  let replica = await startLedger(config)
  const db = openDb(database.url)
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const log = createLogger({ service: 'test', level: 'silent' })
  const onboarding = createFakeOnboarding(bus, clock)
  const ask = <O extends Operation>(
    operation: O,
    caller: Caller,
    request: Request = {},
  ): Promise<Outcome<z.output<O['reply']>>> =>
    call(bus, clock, operation, {
      caller,
      requestId: newId('request'),
      timeoutMs: TEST_DEADLINE_MS,
      safe: true,
      ...(request as object),
    })
  return {
    bus,
    config,
    clock,
    onboarding,
    /** Calls an operation as the gateway does. */
    ask,
    asPartner: <O extends Operation>(operation: O, partnerId: string, request?: Request) =>
      ask(operation, { kind: 'partner', partnerId, clientId: newId('client') }, request),
    asMerchant: <O extends Operation>(operation: O, merchantId: string, request?: Request) =>
      ask(operation, { kind: 'merchant', merchantId }, request),
    asStaff: <O extends Operation>(operation: O, request?: Request) =>
      ask(operation, { kind: 'operator', actor: 'finance' }, request),
    db,
    log,
    publish: (event: DomainEvent) =>
      bus.publishEvent(eventSubject(event.name), JSON.stringify(event), event.id, null),
    sums: () => sumsOf(db),
    /** Changes the books behind their functions. */
    change: (sql: string) => owner.query(sql),
    /** The reasons of the parked events, by the events' ids. */
    async parked(): Promise<Record<string, string>> {
      const answer = await call(bus, clock, parkedEventsOf('ledger').list, {
        caller: { kind: 'operator', actor: 'test' },
        requestId: newId('request'),
        timeoutMs: TEST_DEADLINE_MS,
        safe: true,
        body: { state: 'waiting', after: { at: new Date(0).toISOString(), key: '' }, limit: 10 },
      })
      if (!answer.ok) throw new Error(answer.code)
      return Object.fromEntries(answer.value.parked_events.map(({ event_id: id, error }) => [id, error]))
    },
    stopReplica: () => replica.stop(),
    async startReplica() {
      replica = await startLedger(config)
    },
    async stop() {
      await replica.stop()
      await owner.end()
      await db.close()
      await bus.close()
      await database.drop()
    },
  }
}
export type RunningLedger = Awaited<ReturnType<typeof startForTests>>
