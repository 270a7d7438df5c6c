import { call, createClock, newId, newIdAt, type Bus, type Clock, type Running } from '@causeway/chassis'
import {
  eventually,
  forgetEvents,
  TEST_DEADLINE_MS,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeys,
  testDatabase,
  testNatsUrl,
} from '@causeway/chassis/testing'
import {
  deliveries,
  destinations,
  disabledPartners,
  eventSubject,
  type Delivery,
  type DomainEvent,
  type PartnerWebhook,
} from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { WebhooksConfig } from '../src/config.ts'
import { startWebhooks, type Outside } from '../src/service.ts'

const operator = { kind: 'operator', actor: 'test' } as const
const MINUTE_MS = 60_000
/** Replicas of one database have one key. */
const ENCRYPTION_KEY = randomBytes(32)
export const SCHEDULE_MS = [1, 5, 25, 120, 600, 1440].map((minutes) => minutes * MINUTE_MS)

export type Harness = Readonly<{
  bus: Bus
  clock: Clock
  config: WebhooksConfig
  /** Starts a replica; the first one is started already. */
  startReplica: (changes?: Partial<WebhooksConfig>, outside?: Outside) => Promise<Running>
  stopReplicas: () => Promise<void>
  sql: <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>
  createWebhook: (
    partnerId: string,
    url: string,
    types?: string[],
  ) => Promise<{ webhook: PartnerWebhook; secret: string }>
  /** Sends the set of disabled partners as the gateway does. @returns whether it was accepted */
  setDisabledPartners: (revision: number, partnerIds: string[]) => Promise<boolean>
  publish: (event: DomainEvent) => Promise<void>
  deliveriesOf: (partnerId: string, webhookId: string) => Promise<Delivery[]>
  /** Waits until the newest delivery of a destination meets a condition. */
  deliveryWhen: (
    partnerId: string,
    webhookId: string,
    fits: (delivery: Delivery) => boolean,
  ) => Promise<Delivery>
  stop: () => Promise<void>
}>

/** An event for one partner, as payments would emit it. */
export const paymentEvent = (partnerId: string, changes: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newIdAt('event', changes.created_at === undefined ? Date.now() : Date.parse(changes.created_at)),
  name: 'payment.confirmed',
  created_at: new Date().toISOString(),
  partners: [
    {
      partner_id: partnerId,
      partner_customer_id: newId('relationship'),
      type: 'payment.confirmed',
      data: { order_id: newId('cryptoOrder'), rail: 'crypto', status: 'paid', tx_id: null },
    },
  ],
  merchant: null,
  fact: null,
  ...changes,
})

/** Starts the service with a separate database and a clock that the test moves. */
export const startHarness = async (
  outside?: Outside,
  settings: Partial<WebhooksConfig> = {},
): Promise<Harness> => {
  const database = await testDatabase('webhooks')
  const bus = await testBus()
  await forgetEvents(bus)
  // `outsideMs` moves too, so that receivers see the time in the timestamps of signatures.
  let passedMs = 0
  const clock: Clock = {
    ...createClock(() => performance.timeOrigin + performance.now() + passedMs),
    advance: (ms) => {
      passedMs += ms
    },
  }
  const config: WebhooksConfig = {
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    busKeys: testBusKeys('webhooks'),
    keys: { encryptionKey: ENCRYPTION_KEY },
    logLevel: 'silent',
    healthHost: '127.0.0.1',
    healthPort: 0,
    poolSize: 4,
    pipelinedConnections: 2,
    tracing: 'off',
    traceEndpoint: 'http://127.0.0.1:4318',
    checkReplies: true,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    clock,
    policies: {
      // No attempt times out, however slow the machine is: a test that withholds an answer gives it later.
      partner: { retryDelaysMs: SCHEDULE_MS, timeoutMs: TEST_DEADLINE_MS },
      merchant: { retryDelaysMs: [15 * MINUTE_MS, 15 * MINUTE_MS], timeoutMs: TEST_DEADLINE_MS },
    },
    allowInsecure: true,
    eventRetentionMs: 720 * 60 * MINUTE_MS,
    attemptRetentionMs: 720 * 60 * MINUTE_MS,
    ...settings,
  }
  const replicas: Running[] = []
  const startReplica: Harness['startReplica'] = async (changes = {}, replicaOutside = outside) => {
    const replica = await startWebhooks({ ...config, ...changes }, replicaOutside)
    replicas.push(replica)
    return replica
  }
  await startReplica()
  const client = new pg.Pool({ connectionString: database.url, max: 1 })
  // A server that is restarted ends idle connections.
  client.on('error', () => undefined)
  const stopReplicas = async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()))
  }
  const ask = { caller: operator, requestId: newId('request'), timeoutMs: TEST_DEADLINE_MS, safe: false }
  const deliveriesOf: Harness['deliveriesOf'] = async (partnerId, webhookId) => {
    const listed = await call(bus, clock, deliveries.list, {
      ...ask,
      params: { partnerId, webhookId },
      query: {},
    })
    if (!listed.ok) throw new Error(listed.code)
    return listed.value.deliveries
  }
  return {
    bus,
    clock,
    config,
    startReplica,
    stopReplicas,
    sql: async (text, values = []) => (await client.query(text, values)).rows as never,
    async createWebhook(partnerId, url, types) {
      const body = types === undefined ? { url } : { url, event_types: types as never }
      const created = await call(bus, clock, destinations.create, { ...ask, params: { partnerId }, body })
      if (!created.ok) throw new Error(JSON.stringify(created))
      return { webhook: created.value.webhook, secret: created.value.webhook_secret }
    },
    async setDisabledPartners(revision, partnerIds) {
      const caller = { kind: 'service', service: 'gateway' } as const
      const body = { revision, partner_ids: partnerIds }
      const answer = await call(bus, clock, disabledPartners.update, { ...ask, caller, body })
      if (!answer.ok) throw new Error(JSON.stringify(answer))
      return answer.value.accepted
    },
    async publish(event) {
      await bus.publishEvent(eventSubject(event.name), JSON.stringify(event), event.id, null)
    },
    deliveriesOf,
    deliveryWhen: (partnerId, webhookId, fits) =>
      eventually(async () => {
        const [newest] = await deliveriesOf(partnerId, webhookId)
        return newest && fits(newest) ? newest : undefined
      }),
    async stop() {
      await client.end()
      await stopReplicas()
      await bus.close()
      await database.drop()
    },
  }
}
