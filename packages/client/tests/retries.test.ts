import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ApiError, ConnectionError, createPartnerClient, TimeoutError, type LogEvent } from '../src/index.ts'
import {
  cut,
  cutInBody,
  data,
  json,
  refusal,
  silence,
  startServer,
  type Server,
} from './misbehaving-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const CUSTOMER = { customerId: 'pcu_1' }
const REFUND = { orderKey: '7', body: { amount_cents: 5 } }
const REQUIREMENT = { ...CUSTOMER, body: { kind: 'clarification' as const, message: 'Which?' } }
const ORDER = {
  ...CUSTOMER,
  body: {
    reference: 'a',
    network: 'BTC' as const,
    asset: 'BTC' as const,
    amount: 1,
    currency: 'EUR',
    email: 'a@example.com',
  },
}

const clientWith = (options: object = {}) => {
  const log: LogEvent[] = []
  const credentials = { clientId: 'cli_1', clientSecret: 'canary-secret' }
  const client = createPartnerClient({
    baseUrl: server.baseUrl,
    ...credentials,
    log: (event) => log.push(event),
    ...options,
  })
  return { client, log }
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )
const keysSent = () => server.hits.map(({ headers }) => headers['idempotency-key'])

describe('retrying', () => {
  const now = { 'retry-after': '0' }
  const busy = refusal(503, 'temporarily_unavailable', now)
  const slowDown = refusal(429, 'rate_limited', now)
  const failed = refusal(500, 'internal_error')
  const proxy = json(502, 'no JSON of the platform')

  test.each([
    ['503', busy],
    ['429', slowDown],
    ['500', failed],
    ['a proxy’s 502', proxy],
    ['no answer', cut],
    ['half an answer', cutInBody],
  ])(
    'repeats a read, a call with an idempotency key and a repeatable call after %s',
    async (_, behaviour) => {
      const { client } = clientWith()
      server.will(behaviour, data({ ok: 1 }))
      expect(await client.listCapabilities(CUSTOMER)).toEqual({ ok: 1 })
      server.will(behaviour, data({ ok: 2 }, 201))
      expect(await client.createCryptoOrder(ORDER)).toEqual({ ok: 2 })
      server.will(behaviour, behaviour, data({ ok: 3 }, 201))
      expect(await client.createRefund(REFUND)).toEqual({ ok: 3 })
      expect(keysSent()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keysSent()[0], keysSent()[0]])
      expect(server.hits.map(({ body }) => body)).toEqual(Array(3).fill('{"amount_cents":5}'))
    },
  )

  test.each([
    ['503', busy, 2],
    ['429', slowDown, 2],
    ['500', failed, 1],
    ['a proxy’s 502', proxy, 1],
    ['no answer', cut, 1],
    ['half an answer', cutInBody, 1],
  ])('repeats another write after %s only if nothing was done', async (_, behaviour, hits) => {
    const { client } = clientWith()
    server.will(behaviour, data({ ok: 1 }, 201))
    await failure(client.raiseRequirement(REQUIREMENT))
    expect(server.hits.length).toBe(hits)
    expect(keysSent()).toEqual(Array(hits).fill(undefined))
  })

  test.each([400, 403, 404, 409, 422, 502])(
    'repeats nothing after a %s from the platform',
    async (status) => {
      const { client } = clientWith()
      server.will(refusal(status, 'provider_error'))
      expect(await failure(client.createRefund(REFUND))).toMatchObject({
        status,
        requestId: 'req_9',
        details: [{ field: 'a' }],
      })
      expect(server.hits.length).toBe(1)
    },
  )

  test('sends a new idempotency key with each call, or the key that the caller passes', async () => {
    const { client } = clientWith()
    server.will(data({}, 201))
    await client.createRefund(REFUND)
    await client.createRefund(REFUND)
    await client.createRefund(REFUND, { idempotencyKey: 'mine' })
    expect(new Set(keysSent()).size).toBe(3)
    expect(keysSent()[2]).toBe('mine')
  })

  test('repeats any call whose connection was refused, because it was not sent', async () => {
    const gone = await startServer()
    await gone.stop()
    const { client, log } = clientWith({
      baseUrl: gone.baseUrl,
      token: () => Promise.resolve('t'),
      maxRetries: 1,
    })
    const error = await failure(client.raiseRequirement(REQUIREMENT))
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as ConnectionError).isSent).toBe(false)
    expect(log.filter(({ event }) => event === 'retry')).toHaveLength(1)
  })
})

describe('waiting', () => {
  test('waits for the time in Retry-After before the next attempt', async () => {
    const { client, log } = clientWith()
    server.will(refusal(503, 'temporarily_unavailable', { 'retry-after': '1' }), data({}))
    await client.listCapabilities(CUSTOMER)
    expect(log.find(({ event }) => event === 'retry')).toMatchObject({
      operation: 'listCapabilities',
      attempt: 1,
      waitMs: 1_000,
    })
  })

  test('does not retry when Retry-After exceeds the maximum wait', async () => {
    const { client } = clientWith({ maxRetryAfterMs: 999 })
    server.will(refusal(429, 'rate_limited', { 'retry-after': '1' }))
    expect(await failure(client.listCapabilities(CUSTOMER))).toMatchObject({
      name: 'RateLimitError',
      retryAfterMs: 1_000,
    })
    expect(server.hits.length).toBe(1)
  })

  test('retries at most `maxRetries` times', async () => {
    const { client } = clientWith({ maxRetries: 2 })
    server.will(refusal(503, 'temporarily_unavailable', { 'retry-after': '0' }))
    expect(await failure(client.listCapabilities(CUSTOMER))).toMatchObject({
      name: 'UnavailableError',
      code: 'temporarily_unavailable',
    })
    expect(server.hits.length).toBe(3)
  })

  test('waits for an answer until the timeout of an attempt, and then retries', async () => {
    const { client } = clientWith({ timeoutMs: 500, maxRetries: 1 })
    server.will(silence)
    const error = await failure(client.createRefund(REFUND))
    expect(error).toBeInstanceOf(TimeoutError)
    expect((error as TimeoutError).isSent).toBe(true)
    expect(new Set(keysSent()).size).toBe(1)
    expect(server.hits.length).toBe(2)
  })
})

describe('a signal', () => {
  test.each([
    ['an answer', silence],
    ['the next attempt', refusal(503, 'temporarily_unavailable', { 'retry-after': '20' })],
  ])('ends the wait for %s with its reason', async (_, behaviour) => {
    const { client } = clientWith()
    server.will(behaviour)
    const stop = new AbortController()
    const reason = new Error('enough')
    const ended = failure(client.listCapabilities(CUSTOMER, { signal: stop.signal }))
    while (server.hits.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stop.abort(reason)
    expect(await ended).toBe(reason)
  })

  test('ends the call before it is sent when it is already aborted', async () => {
    const { client } = clientWith()
    server.will(data({}))
    expect(await failure(client.listCapabilities(CUSTOMER, { signal: AbortSignal.abort('no') }))).toBe('no')
    expect(server.hits.length).toBe(0)
  })
})

describe('an answer that is not the platform’s', () => {
  test('is reported as an error with the code unexpected_answer', async () => {
    const { client } = clientWith({ maxRetries: 0 })
    server.will((response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nginx</h1>'))
    const error = await failure(client.listCapabilities(CUSTOMER))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 404, code: 'unexpected_answer', name: 'NotFoundError' })
  })

  test('is not followed when it is a redirect', async () => {
    const { client } = clientWith()
    server.will((response) => response.writeHead(302, { location: `${server.baseUrl}/x` }).end())
    expect(await failure(client.listCapabilities(CUSTOMER))).toMatchObject({
      status: 302,
      code: 'unexpected_answer',
    })
    expect(server.hits.length).toBe(1)
  })
})

test('logs each request, answer and retry, and no secret', async () => {
  const { client, log } = clientWith()
  server.will(
    refusal(503, 'temporarily_unavailable', { 'retry-after': '0' }),
    data({ refunds: [], next_cursor: null }),
  )
  await client.listRefunds({ orderKey: '7', limit: 3 })
  expect(log.map(({ operation, attempt, event }) => `${operation} ${attempt} ${event}`)).toEqual([
    'issueToken 1 request',
    'issueToken 1 response',
    'listRefunds 1 request',
    'listRefunds 1 response',
    'listRefunds 1 retry',
    'listRefunds 2 request',
    'listRefunds 2 response',
  ])
  expect(server.hits[0]?.url).toBe('/api/v1/partner/fiat-orders/7/refunds?limit=3')
  expect(log[2]).toMatchObject({ method: 'GET', path: '/api/v1/partner/fiat-orders/{orderKey}/refunds' })
  expect(JSON.stringify(log)).not.toMatch(/canary|token-1|limit=3/)
})
