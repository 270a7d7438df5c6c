import { call, createClock, createLogger, newId, queryMany, queryOne } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import {
  emittedEvent,
  forgetEvents,
  TEST_DEADLINE_MS,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeys,
  testDatabase,
  testNatsUrl,
} from '@causeway/chassis/testing'
import { reconciliation, refunds, type DomainEvent, type RefundableOrder } from '@causeway/contracts'
import { openCardProcessors } from '@causeway/rails/cards'
import { createSandbox } from '@causeway/sandbox'
import { request } from 'undici'
import { z } from 'zod'
import type { RefundsConfig } from '../src/config.ts'
import { startRefunds } from '../src/service.ts'
import { createFakePayments } from './fake-payments.ts'

const readOutbox = queryMany({
  name: 'test.read-outbox',
  text: 'SELECT payload FROM outbox_events ORDER BY seq',
  row: z.object({ payload: z.string() }),
})
const readStates = queryMany({
  name: 'test.read-states',
  parameters: { orderKey: 'bigint' },
  text: 'SELECT state, count(*)::int AS count FROM refunds WHERE order_key = :orderKey GROUP BY state ORDER BY state',
  row: z.object({ state: z.string(), count: z.number() }),
})
const countKeys = queryOne({
  name: 'test.count-keys',
  parameters: { partnerId: 'text' },
  text: 'SELECT count(*)::int AS count FROM idempotency_keys WHERE partner_id = :partnerId',
  row: z.object({ count: z.number() }),
})

type Body = z.input<(typeof refunds.create)['body']>
type Wanted = Partial<RefundableOrder> & { paid?: boolean }

const byStaff = () => ({
  caller: { kind: 'operator' as const, actor: 'test' },
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
})

export const newPartner = () => ({
  kind: 'partner' as const,
  partnerId: newId('partner'),
  clientId: newId('client'),
})
export type Partner = ReturnType<typeof newPartner>
export type RunningRefunds = Awaited<ReturnType<typeof startForTests>>

/** Starts the service with a separate database, a fake payments, and the sandbox's card processors over HTTP. */
export const startForTests = async (change: Partial<RefundsConfig> = {}, sandboxClock = createClock()) => {
  const database = await testDatabase('refunds')
  const bus = await testBus()
  await forgetEvents(bus)
  const clock = createClock()
  const payments = createFakePayments(bus, clock)
  const secret = 'of nobody in this test'
  const outside = {
    host: '127.0.0.1',
    port: 0,
    chainPort: null,
    cardPort: 0,
    publicUrl: null,
    dataFolder: null,
  }
  const sandbox = createSandbox(
    { ...outside, cardSecret: secret, timeoutFactor: TEST_TIMEOUT_FACTOR },
    sandboxClock,
  )
  await sandbox.start()
  const cards = { connections: 16, accounts: { sandbox: { baseUrl: sandbox.cardUrl(), secret } } }
  const config: RefundsConfig = {
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    busKeys: testBusKeys('refunds'),
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
    cards,
    dailyLimitCents: null,
    reconciliation: { everyMs: 60_000, overlapMs: 3_600_000, depthMs: 35 * 86_400_000 },
    ...change,
  }
  const replicas = [await startRefunds(config)]
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
  const processors = await openCardProcessors({ ...cards, timeoutMs: 60_000, publicBaseUrl: null })
  const control = async (method: 'POST' | 'PUT', path: string, body: unknown): Promise<void> => {
    const answer = await request(`${sandbox.url()}/control${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
  }
  let keys = 0
  return {
    payments,
    db,
    clock,
    /** Where the sandbox's card processors are. */
    cardUrl: sandbox.cardUrl(),
    /** Another replica on the same database; it stops with the rest. */
    startReplica: async () => void replicas.push(await startRefunds(config)),
    /** How refunds compare with their processors, as staff read it. */
    async readReconciliation(query: { limit?: string; cursor?: string } = {}) {
      const answer = await call(bus, clock, reconciliation.get, { ...byStaff(), safe: true, query })
      if (!answer.ok) throw new Error(answer.code)
      return answer.value
    },
    /** Refunds of all partners without an answer, as staff read them. */
    async pending() {
      const answer = await call(bus, clock, refunds.listPending, { ...byStaff(), safe: true, query: {} })
      if (!answer.ok) throw new Error(answer.code)
      return answer.value.refunds
    },
    getByStaff: (refundId: string) =>
      call(bus, clock, refunds.getByStaff, { ...byStaff(), safe: true, params: { refundId } }),
    listByStaff: (partnerId: string, orderKey: string) =>
      call(bus, clock, refunds.listByStaff, {
        ...byStaff(),
        safe: true,
        params: { partnerId, orderKey },
        query: {},
      }),
    closeDifference: (differenceId: string) =>
      call(bus, clock, reconciliation.close, { ...byStaff(), safe: false, params: { differenceId } }),
    /** A card order of 100.00, paid unless told otherwise, that its partner may refund. */
    async newOrder(change: Wanted = {}, partner: Partner = newPartner()) {
      const { paid = true, ...rest } = change
      const order = payments.add(partner.partnerId, rest)
      const processor = processors.get(order.processor)
      if (!processor) throw new Error(`No processor ${order.processor}`)
      const { processorOrderId } = await processor.createCheckout({
        orderId: order.order_id,
        orderKey: order.order_key,
        kind: order.kind,
        totalCents: order.total_cents,
        refundableCents: order.service_fee_payer === 'customer' ? order.total_cents : order.amount_cents,
        currency: order.currency,
        merchantName: 'Shop',
        description: 'Order',
        payerEmail: null,
        returnUrl: null,
        failureUrl: null,
        noticeUrl: 'http://127.0.0.1:1/notices',
      })
      payments.change(order.order_key, { processor_order_id: processorOrderId })
      if (paid) await control('POST', `/card-payments/${order.order_key}`, { outcome: 'completed' })
      return { partner, orderKey: order.order_key, orderId: order.order_id, processorOrderId }
    },
    refund: (
      partner: Partner,
      orderKey: string,
      body: Body | Readonly<Record<string, unknown>>,
      idempotencyKey = `refund-${(keys += 1)}`,
    ) =>
      call(bus, clock, refunds.create, {
        caller: partner,
        requestId: newId('request'),
        timeoutMs: TEST_DEADLINE_MS,
        safe: false,
        params: { orderKey },
        body: body as Body,
        idempotencyKey,
      }),
    async list(partner: Partner, orderKey: string, query: { limit?: string; cursor?: string } = {}) {
      const envelope = {
        caller: partner,
        requestId: newId('request'),
        timeoutMs: TEST_DEADLINE_MS,
        safe: true,
      }
      return call(bus, clock, refunds.list, { ...envelope, params: { orderKey }, query })
    },
    fault: (mode: string, count?: number, calls = 'effect') =>
      control('PUT', '/faults', { target: 'card', mode, count, calls }),
    /** Every request whose answer contains this text fails. */
    failListing: (processorRefundId: string) =>
      control('PUT', '/faults', { target: 'card', mode: 'error', calls: 'read', telling: processorRefundId }),
    /** Makes a refund at the processor as a call does that dies before it stores the answer. */
    makeAtProcessor: (
      processorOrderId: string,
      refundId: string,
      cents: number,
      description: string | null = null,
    ) =>
      processors
        .get('processor')
        ?.refund({ processorOrderId, refundId, amountCents: cents, description, orderLines: null }),
    refundElsewhere: (orderKey: string, cents: number) =>
      control('POST', `/card-refunds/${orderKey}`, { amount_cents: cents }),
    /** A refund that was made fails at the processor. */
    failAtProcessor: (orderKey: string, processorRefundId: string) =>
      control('POST', `/card-refunds/${orderKey}/failure`, { refund_id: processorRefundId }),
    /** The refunds of an order as its processor has them. */
    atProcessor: (processorOrderId: string, processor = 'processor') =>
      processors.get(processor)?.listRefunds(processorOrderId) ?? Promise.resolve([]),
    statesOf: async (orderKey: string) =>
      Object.fromEntries((await readStates(db, { orderKey })).map(({ state, count }) => [state, count])),
    keysOf: async ({ partnerId }: Partner) => (await countKeys(db, { partnerId }))?.count,
    eventsOf: async (orderKey: string): Promise<DomainEvent[]> =>
      (await readOutbox(db))
        .map((row) => emittedEvent(row.payload))
        .filter((event) => event.partners[0]?.data['order_key'] === orderKey),
    async stop() {
      await control('PUT', '/faults', { target: 'card', mode: 'ok' })
      await Promise.all(replicas.map((replica) => replica.stop()))
      await Promise.all([...processors.values()].map((processor) => processor.close()))
      await sandbox.stop()
      await db.close()
      await bus.close()
      await database.drop()
    },
  }
}
