import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import {
  call,
  createClock,
  createLogger,
  implement,
  newId,
  queryMany,
  queryNone,
  queryOne,
  refuse,
  reply,
  serve,
  type Running,
} from '@causeway/chassis'
import {
  openTestDb,
  KEEPS_IDLE_CONNECTIONS,
  eventually,
  forgetEvents,
  SOURCE_ENVIRONMENT,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeysText,
  testDatabase,
  testNatsUrl,
  testReceiverKeys,
} from '@causeway/chassis/testing'
import {
  DomainEvent,
  EVENT_STREAM,
  onrampHolds,
  onrampOrders,
  type CryptoOrderTerms,
} from '@causeway/contracts'
import pg from 'pg'
import { z } from 'zod'
import { loadConfig } from '../src/config.ts'
import type { Purchase } from '../src/orders/purchase.ts'
import { startOnramp } from '../src/service.ts'
import { insertPurchase } from '../src/orders/store.ts'
import { duePurchase, cryptoOrderOf } from './due-purchases.ts'
import { createBreakpoints } from './breakpoints.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const CALL_TIMEOUT_MS = 60_000
const MerchantEvent = z.object({ data: z.object({ id: z.string() }) })
const readOutbox = queryMany({
  name: 'test.read-outbox',
  text: 'SELECT payload, seq NOT IN (TABLE outbox_unpublished) AS is_emitted FROM outbox_events ORDER BY seq',
  row: z.object({ payload: z.string(), isEmitted: z.boolean() }),
})
const countBlocked = queryOne({
  name: 'test.count-blocked',
  text: `
    SELECT count(*)::int AS n FROM pg_stat_activity waiting, pg_stat_activity locker
    WHERE locker.application_name = 'locker' AND locker.datname = current_database()
      AND locker.pid = ANY (pg_blocking_pids(waiting.pid))`,
  row: z.object({ n: z.number() }),
})
const endLeases = queryNone({
  name: 'test.end-leases',
  parameters: { now: 'timestamptz' },
  text: `
    WITH relay AS (UPDATE outbox_relay SET lease_until = '-infinity')
    UPDATE onramp_orders SET due_at = :now WHERE due_at IS NOT NULL AND cap_at <= :now OR extended_at IS NULL`,
})

/** A provider that reads any order, and refuses to create one. */
const startProvider = async (read: (orderId: string) => Promise<void>) => {
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    if (request.method === 'POST') {
      response.writeHead(422, { 'content-type': 'application/json' }).end('{}')
      return
    }
    const orderId = request.url?.split('/').at(-1) ?? ''
    const answer = () => {
      const order = {
        order_id: orderId,
        external_id: orderId.slice('at-provider-'.length),
        status: 'extraVerification',
        changed_at: new Date(1_000).toISOString(),
        order_type: 'buy',
        fiat_amount: null,
        crypto_amount: null,
        transaction_hash: null,
        checkout_url: 'https://provider.example/buy',
        order_status_url: null,
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(order))
    }
    read(orderId).then(answer, () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Fields of every request about a hold. */
type Hold = Readonly<{ order_id: string; onramp_order_id: string }>

/** Simulates crypto orders in payments: a change takes effect once, for any number of requests. */
const createCryptoOrders = () => {
  const known = new Map<string, CryptoOrderTerms>()
  const holders = new Map<string, string>()
  const effects: string[] = []
  const change = (body: { order_id: string }, what: string, changed: Partial<CryptoOrderTerms>) => {
    const before = known.get(body.order_id)
    if (!before) return refuse('resource_not_found')
    const isNew = Object.entries(changed).some(
      ([field, value]) => before[field as keyof CryptoOrderTerms] !== value,
    )
    if (before.status !== 'pending' || !isNew) return reply({ order: before })
    effects.push(`${what} ${body.order_id}`)
    known.set(body.order_id, { ...before, ...changed })
    return reply({ order: { ...before, ...changed } })
  }
  const hold = (what: string, { order_id: orderId, onramp_order_id: id }: Hold) => {
    if (what === 'create') holders.set(orderId, id)
    if (what === 'release' && holders.get(orderId) === id) holders.delete(orderId)
  }
  return { known, holders, effects, change, hold }
}

/** The service as a process that can be killed, with a payments and a provider that can hold it at every step. */
export const startCrashHarness = async () => {
  const database = await testDatabase('onramp')
  const bus = await testBus()
  await forgetEvents(bus)
  const clock = createClock()
  const log = createLogger({ service: 'test', level: 'silent' })
  const breakpoints = createBreakpoints()
  const { known, holders, effects, change, hold } = createCryptoOrders()
  const asked =
    <B extends Hold>(what: string, changed: (body: B) => Partial<CryptoOrderTerms>) =>
    async ({ body }: { body: B }) => {
      await breakpoints.pass(`${what} asked`, body.order_id)
      hold(what, body)
      const answer = change(body, what, changed(body))
      await breakpoints.pass(`${what} done`, body.order_id)
      return answer
    }
  serve(
    bus,
    implement(onrampHolds, {
      getOrder: ({ body }) => Promise.resolve(change(body, 'getOrder', {})),
      getOrderByBuyer: () => Promise.resolve(refuse('resource_not_found')),
      create: asked('create', () => ({})),
      release: asked('release', () => ({})),
      extend: asked('extend', ({ expires_at }) => ({ expires_at })),
      cancelOrder: asked('cancelOrder', () => ({ status: 'cancelled' })),
    }),
    { service: 'payments', keys: testReceiverKeys(), clock, log, checkReplies: true },
  )
  const provider = await startProvider((orderId) =>
    breakpoints.pass('read', orderId.slice('at-provider-'.length)),
  )
  const env = {
    ...SOURCE_ENVIRONMENT,
    LOG_LEVEL: 'silent',
    ONRAMP_DATABASE_URL: database.url,
    NATS_URL: testNatsUrl(),
    BUS_KEYS: testBusKeysText('onramp'),
    PUBLIC_BASE_URL: 'https://api.example.com',
    ONRAMP_URL: provider.url,
    SANDBOX_ONRAMP_SECRET: 'secret-of-the-onramp-notices',
    TIMEOUT_FACTOR: String(TEST_TIMEOUT_FACTOR),
  }
  const db = openTestDb(database.url, clock)
  const locker = new pg.Client({ connectionString: database.url, application_name: 'locker' })
  const children: ChildProcess[] = []
  const running: Running[] = []
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(running.map((service) => service.stop()))
    await locker.end()
    await db.close()
    await provider.stop()
    await bus.close()
    await database.drop()
  }

  // The first start makes the tables, so that purchases can be there before the process that is killed.
  await (await startOnramp(loadConfig(env))).stop()
  await locker.connect()

  return {
    bus,
    db,
    breakpoints,
    locker,
    effects,
    cryptoOrder: (orderId: string) => known.get(orderId),
    /** A purchase whose ten or seventy-two hours are over now, or in a while. */
    async purchase(due: 'extend' | 'end', inMs = 0): Promise<Purchase> {
      const purchase = duePurchase(due, clock.nowMs() + inMs)
      known.set(purchase.orderId, cryptoOrderOf(purchase))
      await insertPurchase(db, purchase)
      return purchase
    },
    /** A crypto order that nobody has asked an onramp order for. */
    newCryptoOrder(): CryptoOrderTerms {
      const order = cryptoOrderOf(duePurchase('extend', clock.nowMs()))
      known.set(order.order_id, order)
      return order
    },
    /** Asks for an onramp order, as the partner of the crypto order. */
    create: (order: CryptoOrderTerms) =>
      call(bus, clock, onrampOrders.create, {
        caller: { kind: 'partner', partnerId: order.partner_id, clientId: newId('client') },
        requestId: newId('request'),
        timeoutMs: CALL_TIMEOUT_MS,
        safe: false,
        params: { orderId: order.order_id },
        body: { fiat: 'EUR' },
      }),
    /** The onramp order that holds a crypto order. */
    holderOf: (orderId: string) => holders.get(orderId) ?? null,
    /** How many statements wait for what `locker` breakpoints. */
    async blocked(): Promise<number> {
      const row = await countBlocked(db)
      return row?.n ?? 0
    },
    /** @param more settings in addition to those of the harness. @returns a function that kills it with SIGKILL and waits for its end */
    async startChild(more: Readonly<Record<string, string>> = {}) {
      const child = fork(MAIN, { execArgv: [], env: { ...env, ...more } })
      children.push(child)
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`The service ended with code ${String(code)} before it was ready`)
      })
      await Promise.race([once(child, 'message'), ended])
      return async () => {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
    },
    /** The next process, once the leases of the one that died are over. */
    async startAgain() {
      await endLeases(db, { now: clock.now() })
      running.push(await startOnramp(loadConfig(env)))
    },
    /** The events of a purchase that are committed, by name. */
    async committed(purchase: Purchase): Promise<string[]> {
      const rows = await readOutbox(db)
      const events = rows.map((row) => DomainEvent.parse(JSON.parse(row.payload)))
      return events
        .filter(({ merchant }) => MerchantEvent.parse(merchant?.body).data.id === purchase.id)
        .map(({ name }) => name)
    },
    allPublished: () => eventually(async () => (await readOutbox(db)).every(({ isEmitted }) => isEmitted)),
    /** How many events the stream holds. */
    async inStream(): Promise<number> {
      const manager = await bus.jetstreamManager()
      return (await manager.streams.info(EVENT_STREAM)).state.messages
    },
    stop,
  }
}
export type CrashHarness = Awaited<ReturnType<typeof startCrashHarness>>
