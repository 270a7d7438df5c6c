import {
  call,
  createClock,
  createLogger,
  loadSettings,
  newId,
  queryMany,
  type Bus,
  type Clock,
} from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import {
  emittedEvent,
  eventually,
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
  NETWORKS,
  cryptoOrders,
  type Asset,
  type DomainEvent,
  type Network,
  type Operation,
} from '@causeway/contracts'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { createSandbox, type Sandbox } from '@causeway/sandbox'
import { request } from 'undici'
import { z } from 'zod'
import type { PaymentsConfig } from '../src/config.ts'
import { disputeThreshold } from '../src/disputes/threshold.ts'
import { startPayments } from '../src/service.ts'
import { startFakeCards } from './fake-cards.ts'
import { createFakeOnboarding } from './fake-onboarding.ts'

const listOutbox = queryMany({
  name: 'test.read-outbox',
  text: 'SELECT payload FROM outbox_events ORDER BY seq',
  row: z.object({ payload: z.string() }),
})

export const newPartner = () => ({
  kind: 'partner' as const,
  partnerId: newId('partner'),
  clientId: newId('client'),
})
export type Partner = ReturnType<typeof newPartner>

type CreateBody = z.input<(typeof cryptoOrders.create)['body']>

/** A valid body of a crypto order. */
export const orderBody = (change: Partial<CreateBody> = {}): CreateBody => ({
  reference: newId('request'),
  network: 'BTC',
  asset: 'BTC',
  amount: 30,
  currency: 'EUR',
  email: 'buyer@example.com',
  ...change,
})

/** The sandbox's own card processors are not used here: `cards` is their fake. */
export const PAYER_RETENTION_MS = 730 * 24 * 3_600_000
/** The sandbox's chain plays every network. */
const NO_NODES = loadSettings(NODE_SETTINGS, {})
const CARD_PART = { cardPort: null, cardSecret: 'of nobody in this test', publicUrl: null }

export type RunningPayments = Awaited<ReturnType<typeof startForTests>>

/**
 * Starts the service on its own database, the sandbox's chain over HTTP, and a caller on the real bus. The clock is
 * stopped until the test moves it.
 */
export const startForTests = async (change: Partial<PaymentsConfig> = {}) => {
  const database = await testDatabase('payments')
  const bus = await testBus()
  await forgetEvents(bus)
  const startedMs = Date.now()
  const clock = createClock(() => startedMs)
  const onboarding = createFakeOnboarding(bus, clock)
  const outside = { host: '127.0.0.1', port: 0, chainPort: 0, dataFolder: null }
  const sandbox = createSandbox({ ...outside, ...CARD_PART, timeoutFactor: TEST_TIMEOUT_FACTOR })
  await sandbox.start()
  const cards = await startFakeCards(clock)
  const config: PaymentsConfig = {
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    busKeys: testBusKeys('payments'),
    keys: { encryptionKey: Buffer.alloc(32, 7) },
    logLevel: 'silent',
    healthHost: '127.0.0.1',
    healthPort: 0,
    poolSize: 8,
    pipelinedConnections: 2,
    tracing: 'off',
    traceEndpoint: 'http://127.0.0.1:4318',
    checkReplies: true,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    clock,
    publicBaseUrl: 'https://pay.example',
    invoiceTtlMs: 12 * 3_600_000,
    underpaymentTolerance: 0.005,
    underpaidAfterMs: 24 * 3_600_000,
    networksLive: NETWORKS,
    accounts: SANDBOX_ACCOUNTS,
    confirmations: CONFIRMATION_DEPTHS,
    chainUrl: sandbox.chainUrl(),
    nodes: NO_NODES,
    chainPollEveryMs: 100,
    cryptoRefunds: 'recorded',
    ratesUrl: undefined,
    ratesSources: undefined,
    ratesMaxDifference: 0.02,
    serviceFeePercent: 2.5,
    cards: { connections: 16, accounts: { sandbox: { baseUrl: cards.url, secret: cards.secret } } },
    cardPollAfterMs: 120_000,
    cardReviewAfterMs: 3_600_000,
    payerRetentionMs: PAYER_RETENTION_MS,
    cardReviewForMs: 4_320 * 3_600_000,
    cardAvailableAfterMs: 48 * 3_600_000,
    riskRules: {
      thresholds: { merchantIpThreshold: 3, platformIpThreshold: 5, distinctMerchantsThreshold: 2 },
      windowDays: 30,
    },
    disputeThreshold: disputeThreshold(0.01, 5, 720 * 3_600_000),
    ...change,
  }
  const replicas = [await startPayments(config)]
  const log = createLogger({ service: 'test', level: 'silent' })
  const db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock,
    poolSize: 2,
    pipelinedConnections: 1,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })
  const { vault } = await testKeyRing('payments', { db, databaseUrl: database.url, config: config.keys })
  const events = async (): Promise<DomainEvent[]> =>
    (await listOutbox(db)).map((row) => emittedEvent(row.payload))
  return {
    bus,
    clock,
    db,
    /** The service's own key ring, which decrypts its data. */
    vault,
    onboarding,
    cards,
    config,
    replicas,
    ...callsOf(bus, clock),
    ...controlsOf(sandbox),
    /** Adds a relationship with every capability at onboarding. */
    newCustomer: (partner: Partner = newPartner()) => ({
      partner,
      customerId: onboarding.relate(partner.partnerId).partner_customer_id,
    }),
    /** Effects of staff actions and events reach the other services within two seconds (decisions §1). */
    eventually: (check: () => Promise<void>) => eventually(() => check().then(() => true)),
    /** Every event in the service's outbox, in order. */
    events,
    /** The events of one order, by their names and in order. */
    eventsOf: async (orderId: string) =>
      (await events()).filter(
        (event) => event.partners[0]?.data['order_id'] === orderId || bodyOrderId(event) === orderId,
      ),
    /** Starts another replica of the service, optionally with other settings. */
    addReplica: async (other: Partial<PaymentsConfig> = {}) => {
      const replica = await startPayments({ ...config, ...other })
      replicas.push(replica)
      return replica
    },
    /** Stops every replica, and starts one with other settings. */
    async restart(other: Partial<PaymentsConfig>) {
      await Promise.all(replicas.splice(0).map((replica) => replica.stop()))
      replicas.push(await startPayments({ ...config, ...other }))
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await db.close()
      await sandbox.stop()
      await cards.stop()
      await bus.close()
      await database.drop()
    },
  }
}

const bodyOrderId = (event: DomainEvent): unknown =>
  z.object({ order: z.object({ id: z.string() }) }).safeParse(event.merchant?.body).data?.order.id

const callsOf = (bus: Bus, clock: Clock) => {
  const ask = <O extends Operation>(
    operation: O,
    caller: Partner | { kind: 'public' } | { kind: 'operator'; actor: string },
    input: { params?: unknown; query?: unknown; body?: unknown; idempotencyKey?: string },
  ) =>
    call(bus, clock, operation, {
      caller,
      requestId: newId('request'),
      timeoutMs: TEST_DEADLINE_MS,
      safe: false,
      ...(input as object),
    })
  const create = (partner: Partner, customerId: string, body: unknown) =>
    ask(cryptoOrders.create, partner, { params: { customerId }, body })
  const read = (partner: Partner, orderId: string) => ask(cryptoOrders.get, partner, { params: { orderId } })
  return {
    ask,
    create,
    read,
    /** Creates a new order. */
    async newOrder(partner: Partner, customerId: string, change: Partial<CreateBody> = {}) {
      const outcome = await create(partner, customerId, orderBody(change))
      if (!outcome.ok || outcome.value.replayed) throw new Error(`Not created: ${JSON.stringify(outcome)}`)
      return outcome.value.order
    },
    list: (partner: Partner, customerId: string, query: { limit?: string; before?: string } = {}) =>
      ask(cryptoOrders.list, partner, { params: { customerId }, query }),
    cancel: (partner: Partner, orderId: string) => ask(cryptoOrders.cancel, partner, { params: { orderId } }),
    /** Staff record, or have the signer make, the refund of a cancelled order. */
    refund: (orderId: string, toAddress: string) =>
      ask(
        cryptoOrders.refund,
        { kind: 'operator', actor: 'test' },
        { params: { orderId }, body: { to_address: toAddress } },
      ),
    qr: (orderId: string) => ask(cryptoOrders.getQrImage, { kind: 'public' }, { params: { orderId } }),
    readByBuyer: (orderId: string) =>
      ask(cryptoOrders.getByBuyer, { kind: 'public' }, { params: { orderId } }),
    versions: (orderIds: string[]) =>
      ask(cryptoOrders.listVersions, { kind: 'public' }, { body: { order_ids: orderIds } }),
    /** Waits until the order has this status. */
    becomes: (partner: Partner, orderId: string, status: string) =>
      eventually(async () => {
        const outcome = await read(partner, orderId)
        if (outcome.ok && outcome.value.order.status === status) return outcome.value.order
        throw new Error(`Not ${status}: ${JSON.stringify(outcome.ok ? outcome.value.order.status : outcome)}`)
      }),
  }
}

const controlsOf = (sandbox: Sandbox) => {
  const control = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const answer = await request(`${sandbox.url()}/control${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const value: unknown = await answer.body.json()
    if (answer.statusCode !== 200)
      throw new Error(`${path} answered ${answer.statusCode}: ${JSON.stringify(value)}`)
    return z.looseObject({ tx_id: z.string().optional() }).parse(value)
  }
  return {
    deposit: (orderId: string, amount?: string, confirmations?: number, asset?: Asset) =>
      control('POST', '/deposits', { order_id: orderId, amount, confirmations, asset }),
    reorganise: (network: Network, blocks: number) =>
      control('POST', '/chain/reorganise', { network, blocks }),
    mine: (network: Network, blocks: number) => control('POST', '/chain/mine', { network, blocks }),
    confirm: (orderId: string, confirmations: number) =>
      control('POST', '/confirmations', { order_id: orderId, confirmations }),
    fault: (mode: string, count?: number, calls = 'all') =>
      control('PUT', '/faults', { target: 'chain', mode, count, calls }),
  }
}
