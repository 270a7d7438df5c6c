import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newPartner, openFixture, type Replica, type Fixture } from '../fixtures/running-gateway.ts'

const BURST = 3

let fixture: Fixture
let wide: Replica
let gateway: Replica

beforeAll(async () => {
  fixture = await openFixture()
  wide = await fixture.startReplica()
  gateway = await fixture.startReplica({ limits: { ratePerSecond: 0.1, burst: BURST } })
})
afterAll(async () => {
  await fixture.close()
})

const CUSTOMERS = '/api/v1/partner/customers'

test('answers 429 with Retry-After to a client over its burst until its bucket has a token, and not to another client', async () => {
  const [{ token }, other] = await Promise.all([newPartner(wide), newPartner(wide)])
  for (let left = BURST - 1; left >= 0; left -= 1) {
    const answer = await gateway.call('GET', CUSTOMERS, { token })
    expect([answer.status, answer.headers['ratelimit-remaining']]).toEqual([200, String(left)])
    expect(answer.headers['ratelimit-limit']).toBe(String(BURST))
  }
  const refused = await gateway.call('GET', CUSTOMERS, { token })
  expect([refused.status, refused.code]).toEqual([429, 'rate_limited'])
  expect(refused.headers['retry-after']).toBe('10')
  expect(refused.headers['ratelimit-remaining']).toBe('0')
  expect(refused.headers['ratelimit-reset']).toBe('30')
  expect((await gateway.call('GET', CUSTOMERS, { token: other.token })).status).toBe(200)
  fixture.clock.advance(10_000)
  expect((await gateway.call('GET', CUSTOMERS, { token })).status).toBe(200)
})

test('answers 429 before 404 and 403', async () => {
  const { token } = await newPartner(wide, { scopes: ['partner:read'] })
  for (let call = 0; call < BURST; call += 1) await gateway.call('GET', CUSTOMERS, { token })
  expect((await gateway.call('GET', CUSTOMERS, { token })).status).toBe(429)
  expect((await gateway.call('GET', '/api/v1/partner/nothing', { token })).status).toBe(429)
})

test('answers 401 to a caller without a credential however often it calls', async () => {
  for (let call = 0; call < BURST * 3; call += 1)
    expect((await gateway.call('GET', CUSTOMERS)).status).toBe(401)
})

test('answers 429 on public paths over the burst of an address, on health never', async () => {
  for (let call = 0; call < BURST * 2; call += 1) await gateway.call('GET', '/openapi.json')
  expect((await gateway.call('GET', '/openapi.json')).status).toBe(429)
  expect((await gateway.call('GET', '/healthz')).status).toBe(200)
  expect((await gateway.call('GET', '/readyz')).status).toBe(200)
})

test('allows staff ten times the rate of a client', async () => {
  const answer = await gateway.operate('GET', '/partners')
  expect(answer.headers['ratelimit-limit']).toBe(String(BURST * 10))
})

test('answers 429 to a client that requests tokens too often, and 401 to a wrong secret', async () => {
  const { client } = await newPartner(wide)
  for (let call = 0; call < BURST; call += 1) expect((await gateway.askToken(client)).status).toBe(200)
  const refused = await gateway.askToken(client)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
  expect((await gateway.askToken({ ...client, client_secret: 'wrong' })).status).toBe(401)
})
