import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createMerchantClient, createPartnerClient } from '../src/index.ts'
import { cut, data, json, refusal, startServer, type Server } from './misbehaving-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const newClient = (scope?: string) =>
  createPartnerClient({
    baseUrl: `${server.baseUrl}/`,
    clientId: 'cli_1',
    clientSecret: 's',
    ...(scope === undefined ? {} : { scope }),
  })
const sent = () => server.hits.map(({ headers }) => headers.authorization)
const expired = refusal(401, 'unauthorized')

test('requests one token for 32 concurrent calls, and reuses it later', async () => {
  server.will(data({}))
  const client = newClient('customers:read')
  await Promise.all(Array.from({ length: 32 }, () => client.getCustomer({ customerId: 'a' })))
  await client.getCustomer({ customerId: 'a' })
  expect(server.tokens.map(({ body }) => body)).toEqual([
    'grant_type=client_credentials&client_id=cli_1&client_secret=s&scope=customers%3Aread',
  ])
  expect(sent()).toEqual(Array(33).fill('Bearer token-1'))
})

test('returns the scopes of a token, and requests only a token to know them', async () => {
  server.will(data({}))
  server.issuing(json(200, { access_token: 'few', expires_in: 900, scope: 'kyb:read orders:read' }))
  const client = newClient()
  expect(await client.scopes()).toEqual(['kyb:read', 'orders:read'])
  await client.listCustomers()
  expect([await client.scopes(), server.tokens.length]).toEqual([['kyb:read', 'orders:read'], 1])
  expect(await newClient('customers:read').scopes()).toEqual(['customers:read'])
  const own = createPartnerClient({ baseUrl: server.baseUrl, token: () => Promise.resolve('own') })
  expect(await own.scopes()).toBeNull()
})

test('renews the token once for all calls after a 401, and reports the second 401', async () => {
  const client = newClient()
  server.will(data({}))
  await client.listCustomers()
  server.will(...Array<typeof expired>(8).fill(expired), data({}))
  await Promise.all(
    Array.from({ length: 8 }, () => client.createRefund({ orderKey: '1', body: { amount_cents: 1 } })),
  )
  expect(server.tokens.length).toBe(1)
  expect(sent().slice(8)).toEqual(Array(8).fill('Bearer token-1'))
  server.will(expired)
  await expect(client.listCustomers()).rejects.toMatchObject({
    name: 'AuthenticationError',
    code: 'unauthorized',
  })
  expect(server.hits.length).toBe(2)
})

test('renews a token before it expires', async () => {
  server.will(data({}))
  server.issuing(json(200, { access_token: 'short', expires_in: 0 }))
  const client = newClient()
  await client.listCustomers()
  await client.listCustomers()
  expect(sent()).toEqual(['Bearer short', 'Bearer token-2'])
})

test('retries a token request, and reports a refused one with its OAuth error', async () => {
  server.will(data({}))
  server.issuing(cut)
  await newClient().listCustomers()
  expect(server.tokens.length).toBe(2)
  server.issuing(json(401, { error: 'invalid_client', error_description: 'Wrong secret' }))
  await expect(newClient().listCustomers()).rejects.toMatchObject({
    name: 'AuthenticationError',
    code: 'invalid_client',
    message: '401 invalid_client: Wrong secret',
  })
})

test('keeps the token for other calls when a call that waits for it is aborted', async () => {
  server.will(data({}))
  server.issuing((response, hit) => {
    setTimeout(() => json(200, { access_token: 'late', expires_in: 900 })(response, hit), 50)
  })
  const client = newClient()
  const stop = new AbortController()
  const aborted = client.listCustomers({}, { signal: stop.signal })
  const other = client.listCustomers()
  stop.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  await other
  expect([sent(), server.tokens.length]).toEqual([['Bearer late'], 1])
})

test('ends a call immediately when it is aborted while your token function is pending', async () => {
  const own = createPartnerClient({ baseUrl: server.baseUrl, token: () => new Promise(() => undefined) })
  await expect(own.listCustomers({}, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('calls the token function for each attempt, and sends a merchant’s key unchanged', async () => {
  let asked = 0
  server.will(expired, data({}))
  const own = createPartnerClient({ baseUrl: server.baseUrl, token: () => Promise.resolve(`own-${++asked}`) })
  await own.listCustomers()
  expect(sent()).toEqual(['Bearer own-1', 'Bearer own-2'])
  const merchant = createMerchantClient({ baseUrl: server.baseUrl, apiKey: 'mk_1' })
  server.will(expired)
  await expect(merchant.listWebhooks()).rejects.toMatchObject({ status: 401 })
  expect(server.hits.map(({ headers }) => headers['x-api-key'])).toEqual(['mk_1'])
})
