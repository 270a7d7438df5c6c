import {
  call,
  createClock,
  createLogger,
  newId,
  queryMany,
  queryNone,
  type Bus,
  type Clock,
  type Db,
} from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import {
  emittedEvent,
  forgetEvents,
  TEST_DEADLINE_MS,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeys,
  testDatabase,
  testKeyRing,
  testNatsUrl,
} from '@causeway/chassis/testing'
import {
  capabilities,
  customers,
  type DomainEvent,
  relationships,
  type CapabilityName,
  type Caller,
  type Customer,
  type Operation,
} from '@causeway/contracts'
import { z } from 'zod'
import { startOnboarding } from '../src/service.ts'

const readOutbox = queryMany({
  name: 'test.read-outbox',
  text: 'SELECT payload FROM outbox_events ORDER BY seq',
  row: z.object({ payload: z.string() }),
})

export const KYB_RETENTION_MS = 5 * 365 * 24 * 3_600_000
export const VERIFICATION_TTL_MS = 365 * 24 * 3_600_000

export const OPERATOR: Caller = { kind: 'operator', actor: 'staff' }

/** A partner as the gateway's request names it. */
export const newPartner = (defaultCapabilities: CapabilityName[] = ['payments.crypto']) => ({
  kind: 'partner' as const,
  partnerId: newId('partner'),
  clientId: newId('client'),
  defaultCapabilities,
})
export type Partner = ReturnType<typeof newPartner>

export type RunningOnboarding = Awaited<ReturnType<typeof startForTests>>

/** Makes merchants verified from the start, for tests of the other conditions of capabilities. */
const verifyEveryMerchant = queryNone({
  name: 'test.verify-every-merchant',
  text: `ALTER TABLE merchants ALTER COLUMN verification SET DEFAULT 'approved'`,
})

/**
 * Starts the service on its own database, and a caller on the real bus. Its clock is stopped until the test moves it.
 * @param options.keyRefreshMs how often the service reads its key ring
 * @param options.verified true if new merchants need no verification
 * @param options.merchantLinking `confirmed` if links to another partner's merchant need a confirmation
 */
export const startForTests = async (
  options: { verified?: boolean; keyRefreshMs?: number; merchantLinking?: 'open' | 'confirmed' } = {},
) => {
  const database = await testDatabase('onboarding')
  const bus = await testBus()
  await forgetEvents(bus)
  const startedMs = Date.now()
  const clock = createClock(() => startedMs)
  const keys = {
    encryptionKey: Buffer.alloc(32, 7),
    ...(options.keyRefreshMs === undefined ? {} : { refreshMs: options.keyRefreshMs }),
  }
  const running = await startOnboarding({
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    busKeys: testBusKeys('onboarding'),
    keys,
    logLevel: 'silent',
    healthHost: '127.0.0.1',
    healthPort: 0,
    poolSize: 8,
    pipelinedConnections: 2,
    tracing: 'off',
    traceEndpoint: 'http://127.0.0.1:4318',
    checkReplies: true,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    publicBaseUrl: 'https://api.example',
    blobs: { kind: 'jetstream' },
    merchantLinking: options.merchantLinking ?? 'open',
    verificationTtlMs: VERIFICATION_TTL_MS,
    kybRetentionMs: KYB_RETENTION_MS,
    clock,
  })
  const log = createLogger({ service: 'test', level: 'silent' })
  const db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock,
    poolSize: 1,
    pipelinedConnections: 1,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })
  if (options.verified) await verifyEveryMerchant(db)
  const ring = await testKeyRing('onboarding', { db, databaseUrl: database.url, config: keys })
  return {
    bus,
    clock,
    db,
    /** The service's own key ring, which decrypts its data. */
    ring,
    ...callsOf(bus, clock),
    /** Every event in the service's outbox, in order. */
    events: () => eventsIn(db),
    async stop() {
      await running.stop()
      await db.close()
      await bus.close()
      await database.drop()
    },
  }
}

const eventsIn = async (db: Db): Promise<DomainEvent[]> =>
  (await readOutbox(db)).map((row) => emittedEvent(row.payload))

const callsOf = (bus: Bus, clock: Clock) => {
  const ask = async <O extends Operation>(
    operation: O,
    caller: Caller,
    input: { params?: unknown; query?: unknown; body?: unknown; expected?: unknown },
  ) =>
    call(bus, clock, operation, {
      caller,
      requestId: newId('request'),
      timeoutMs: TEST_DEADLINE_MS,
      safe: false,
      ...(input as object),
    })
  const signUp = (partner: Partner, externalCustomerId: string, email: string) =>
    ask(customers.create, partner, { body: { external_customer_id: externalCustomerId, email } })
  return {
    ask,
    signUp,
    /** Signs up a new customer. */
    async newCustomer(partner: Partner, externalCustomerId: string, email: string): Promise<Customer> {
      const outcome = await signUp(partner, externalCustomerId, email)
      if (!outcome.ok || outcome.variant !== 'created')
        throw new Error(`Not created: ${JSON.stringify(outcome)}`)
      return outcome.value
    },
    read: (partner: Partner, customerId: string) => ask(customers.get, partner, { params: { customerId } }),
    list: (partner: Partner, query: { limit?: string; cursor?: string } = {}) =>
      ask(customers.list, partner, { query }),
    listCapabilities: (partner: Partner, customerId: string) =>
      ask(capabilities.list, partner, { params: { customerId } }),
    grant: (partnerCustomerId: string, capability: string, enabled: boolean) =>
      ask(capabilities.grant, OPERATOR, { params: { partnerCustomerId, capability }, body: { enabled } }),
    suspend: (customerId: string, names: readonly string[]) =>
      ask(capabilities.suspend, OPERATOR, { params: { customerId }, body: { capabilities: names } }),
    revoke: (partnerCustomerId: string) =>
      ask(relationships.revoke, OPERATOR, { params: { partnerCustomerId } }),
    reinstate: (partnerCustomerId: string) =>
      ask(relationships.reinstate, OPERATOR, { params: { partnerCustomerId } }),
    confirmLink: (partnerCustomerId: string) =>
      ask(relationships.confirmLink, OPERATOR, { params: { partnerCustomerId } }),
    resolve: (partnerId: string, partnerCustomerId: string) =>
      ask(
        relationships.getState,
        { kind: 'service', service: 'payments' },
        { body: { partner_id: partnerId, partner_customer_id: partnerCustomerId } },
      ),
  }
}
