import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  KEEPS_IDLE_CONNECTIONS,
  eventually,
  openTestService,
  stoppedClock,
  testPartner,
  type TestCaller,
} from '@causeway/chassis/testing'
import { ERRORS, onrampNotices, onrampOrders, type CryptoOrderTerms } from '@causeway/contracts'
import { startSandbox } from '@causeway/sandbox/testing'
import type { z } from 'zod'
import type { OnrampConfig } from '../src/config.ts'
import { startOnramp } from '../src/service.ts'
import { createFakePayments } from './fake-payments.ts'

export const SECRET = 'secret-of-the-onramp-notices'
export const HOUR_MS = 3_600_000

/** The gateway's route for notices: hands every post to the service. */
const startNoticeRelay = async (ask: TestCaller) => {
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
      const outcome = await ask(
        onrampNotices.receive,
        { kind: 'public' },
        {
          safe: true,
          params: { provider: request.url?.split('/').at(-1) ?? '' },
          body: {
            headers: typeof signature === 'string' ? { 'sandbox-signature': signature } : {},
            raw_body_base64: body.toString('base64'),
          },
        },
      )
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
  const service = await openTestService('onramp', stoppedClock())
  const { bus, clock, ask, events } = service
  const payments = createFakePayments(bus, clock)
  const noticeRelay = await startNoticeRelay(ask)
  const sandbox = await startSandbox({ onrampPort: 0, onrampSecret: SECRET }, clock)
  const { control } = sandbox
  const config: OnrampConfig = {
    ...service.config,
    publicBaseUrl: noticeRelay.url,
    extendAfterMs: 10 * HOUR_MS,
    hardCapMs: 72 * HOUR_MS,
    pollAfterMs: 5 * 60_000,
    account: { provider: 'sandbox', baseUrl: sandbox.onrampUrl(), secret: SECRET },
    ...change,
  }
  const addReplica = () => service.addReplica(startOnramp(config))
  await addReplica()

  const partnerOf = (cryptoOrder: CryptoOrderTerms) => testPartner(cryptoOrder.partner_id)
  const paramsOf = (cryptoOrder: CryptoOrderTerms) => ({ orderId: cryptoOrder.order_id })
  const create = (cryptoOrder: CryptoOrderTerms, body: Body = { fiat: 'EUR' }) =>
    ask(onrampOrders.create, partnerOf(cryptoOrder), { params: paramsOf(cryptoOrder), body })
  const read = (cryptoOrder: CryptoOrderTerms) =>
    ask(onrampOrders.get, partnerOf(cryptoOrder), { params: paramsOf(cryptoOrder) })
  return {
    ...service,
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
      const params = paramsOf(cryptoOrder)
      const outcome = await ask(onrampOrders.createByBuyer, { kind: 'public' }, { params })
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
    notice: (body: string, headers: Record<string, string>, provider = 'provider') =>
      ask(
        onrampNotices.receive,
        { kind: 'public' },
        {
          safe: true,
          params: { provider },
          body: { headers, raw_body_base64: Buffer.from(body).toString('base64') },
        },
      ),
    addReplica,
    stop: () => service.stop(() => Promise.all([sandbox.stop(), noticeRelay.stop()])),
  }
}
export type RunningOnramp = Awaited<ReturnType<typeof startForTests>>
