import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { call, createClock, createLogger, newId, queryMany, type Bus, type Clock } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import {
  KEEPS_IDLE_CONNECTIONS,
  emittedEvent,
  eventually,
  forgetEvents,
  TEST_DEADLINE_MS,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeys,
  testDatabase,
  testNatsUrl,
} from '@causeway/chassis/testing'
import { ERRORS, onrampNotices, onrampOrders, type CryptoOrderTerms } from '@causeway/contracts'
import { createSandbox } from '@causeway/sandbox'
import { z } from 'zod'
import type { OnrampConfig } from '../src/config.ts'
import { startOnramp } from '../src/service.ts'
import { createFakePayments } from './fake-payments.ts'

export const SECRET = 'secret-of-the-onramp-notices'
export const HOUR_MS = 3_600_000

const readOutbox = queryMany({
  name: 'test.read-outbox',
  text: 'SELECT payload FROM outbox_events ORDER BY seq',
  row: z.object({ payload: z.string() }),
})

/** The gateway's route for notices: hands every post to the service. */
const startNoticeRelay = async (bus: Bus, clock: Clock) => {
  const posts: { status: number; body: string; signature: string }[] = []
  let isRefusing = false
  let refused = 0
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    void (async () => {
      const body = await buffer(request)
      if (isRefusing) {
        refused += 1
        response.writeHead(503).end()
        return
      }
      const signature = request.headers['sandbox-signature']
      const outcome = await call(bus, clock, onrampNotices.receive, {
        caller: { kind: 'public' },
        requestId: newId('request'),
        timeoutMs: TEST_DEADLINE_MS,
        safe: true,
        params: { provider: request.url?.split('/').at(-1) ?? '' },
        body: {
          headers: typeof signature === 'string' ? { 'sandbox-signature': signature } : {},
          raw_body_base64: body.toString('base64'),
        },
      })
      const status = outcome.ok ? 200 : ERRORS[outcome.code].status
      posts.push({ status, body: body.toString(), signature: String(signature) })
      response.writeHead(status).end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Every notice that was handed to the service. */
    posts,
    /** Makes notices fail with 503, or succeed again. */
    setRefusing: (refusing: boolean) => {
      isRefusing = refusing
    },
    refused: () => refused,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const Onramp = onrampOrders.get.reply.shape.onramp
type Body = z.input<(typeof onrampOrders.create)['body']>

/** The service on its own database, with a fake payments, the sandbox's provider over HTTP and a stopped clock. */
export const startForTests = async (change: Partial<OnrampConfig> = {}) => {
  const database = await testDatabase('onramp')
  const bus = await testBus()
  await forgetEvents(bus)
  const startedMs = Date.now()
  const clock = createClock(() => startedMs)
  const payments = createFakePayments(bus, clock)
  const noticeRelay = await startNoticeRelay(bus, clock)
  const sandbox = createSandbox(
    {
      host: '127.0.0.1',
      port: 0,
      chainPort: null,
      cardPort: null,
      cardSecret: 'of nobody in this test',
      onrampPort: 0,
      onrampSecret: SECRET,
      timeoutFactor: TEST_TIMEOUT_FACTOR,
      publicUrl: null,
      dataFolder: null,
    },
    clock,
  )
  await sandbox.start()
  const config: OnrampConfig = {
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    busKeys: testBusKeys('onramp'),
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
    publicBaseUrl: noticeRelay.url,
    extendAfterMs: 10 * HOUR_MS,
    hardCapMs: 72 * HOUR_MS,
    pollAfterMs: 5 * 60_000,
    account: { provider: 'sandbox', baseUrl: sandbox.onrampUrl(), secret: SECRET },
    ...change,
  }
  const replicas = [await startOnramp(config)]
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

  const asking = (cryptoOrder: CryptoOrderTerms) => ({
    caller: {
      kind: 'partner' as const,
      partnerId: cryptoOrder.partner_id,
      clientId: newId('client'),
    },
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: false,
    params: { orderId: cryptoOrder.order_id },
  })
  const create = (cryptoOrder: CryptoOrderTerms, body: Body = { fiat: 'EUR' }) =>
    call(bus, clock, onrampOrders.create, { ...asking(cryptoOrder), body })
  const control = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${sandbox.url()}/control${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return z.looseObject({}).parse(await answer.json())
  }
  const read = (cryptoOrder: CryptoOrderTerms) => call(bus, clock, onrampOrders.get, asking(cryptoOrder))
  const events = async () => (await readOutbox(db)).map((row) => emittedEvent(row.payload))
  return {
    bus,
    clock,
    db,
    noticeRelay,
    config,
    payments,
    create,
    read,
    /** A new crypto order with an open purchase. */
    async purchase(body?: Body) {
      const cryptoOrder = payments.newCryptoOrder()
      const outcome = await create(cryptoOrder, body)
      if (!outcome.ok) throw new Error(`Not created: ${JSON.stringify(outcome)}`)
      return { cryptoOrder, onramp: Onramp.parse(outcome.value.onramp) }
    },
    /** A new crypto order whose buyer has opened a purchase on the payment page; with the purchase's id. */
    async purchaseByBuyer() {
      const cryptoOrder = payments.newCryptoOrder()
      const params = { orderId: cryptoOrder.order_id }
      const asked = { ...asking(cryptoOrder), caller: { kind: 'public' as const }, params }
      const outcome = await call(bus, clock, onrampOrders.createByBuyer, asked)
      if (!outcome.ok) throw new Error(`Not created: ${JSON.stringify(outcome)}`)
      const made = await read(cryptoOrder)
      if (!made.ok) throw new Error(`Not read: ${made.code}`)
      return { cryptoOrder, onramp: made.value.onramp }
    },
    say: (onrampOrderId: string, status: string, transaction_hash?: string) =>
      control('POST', `/onramp/${onrampOrderId}`, { status, transaction_hash }),
    fault: (mode: string, calls = 'all') => control('PUT', '/faults', { target: 'onramp', mode, calls }),
    becomes: (cryptoOrder: CryptoOrderTerms, status: string) =>
      eventually(async () => {
        const outcome = await read(cryptoOrder)
        return outcome.ok && outcome.value.onramp.status === status
      }),
    /** The bodies of the merchant events about a purchase, in order. */
    merchantEvents: async (onrampOrderId: string) =>
      (await events())
        .map((event) => event.merchant?.body as { event: string; data: Record<string, unknown> })
        .filter(({ data }) => data['id'] === onrampOrderId),
    events,
    notice: (body: string, headers: Record<string, string>, provider = 'provider') =>
      call(bus, clock, onrampNotices.receive, {
        caller: { kind: 'public' },
        requestId: newId('request'),
        timeoutMs: TEST_DEADLINE_MS,
        safe: true,
        params: { provider },
        body: { headers, raw_body_base64: Buffer.from(body).toString('base64') },
      }),
    async addReplica() {
      replicas.push(await startOnramp(config))
    },
    async stopReplicas() {
      await Promise.all(replicas.splice(0).map((replica) => replica.stop()))
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await db.close()
      await sandbox.stop()
      await noticeRelay.stop()
      await bus.close()
      await database.drop()
    },
  }
}
export type RunningOnramp = Awaited<ReturnType<typeof startForTests>>
