import { createClock, createLogger, implement, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { cardNotices } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT } from '../fixtures/script.ts'
import {
  newPartner,
  openFixture,
  OPERATOR_KEY,
  type Answer,
  type Replica,
  type Fixture,
} from '../fixtures/running-gateway.ts'

const BURST = 3
const ADDRESS = '203.0.113.7'

let fixture: Fixture
let gateway: Replica
let posted: string[] = []

beforeAll(async () => {
  const startMs = Date.now()
  // Moved only by the test, so that waits are exact on a slow machine too.
  fixture = await openFixture(createClock(() => startMs))
  const handlers = implement(cardNotices, {
    async receive({ body }) {
      const text = Buffer.from(body.raw_body_base64, 'base64').toString()
      posted.push(text)
      return text === 'genuine' ? reply({ received: true as const }) : refuse('unauthorized')
    },
    authorize: async () => refuse('unauthorized'),
  })
  const log = createLogger({ service: 'test', level: 'silent' })
  serve(fixture.bus, handlers, {
    clock: fixture.clock,
    log,
    checkReplies: true,
    keys: testReceiverKeys(),
    service: 'payments',
  })
  await fixture.bus.connection.flush()
  gateway = await fixture.startReplica({
    credentialFailures: { ratePerSecond: 0.1, burst: BURST },
    trustedProxies: 1,
  })
})
afterAll(() => fixture.close())
beforeEach(() => {
  posted = []
  // Every bucket is full again.
  fixture.clock.advance((BURST / 0.1) * 1_000)
})

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
})
const statusesOf = async (count: number, call: () => Promise<Answer>) => {
  const answers: Answer[] = []
  while (answers.length < count) answers.push(await call())
  return answers.map(({ status }) => status)
}
const ALLOWED = Array.from({ length: BURST }, () => 401)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const wrongSecret = 'x'.repeat(43)
const tokenCall = (address: string, secret: Record<string, string>) =>
  gateway.call('POST', '/api/oauth/token', {
    ...from(address),
    body: { grant_type: 'client_credentials', ...secret },
  })

describe('the limit of failed credentials of an address', () => {
  test.each<[string, string, Record<string, string>, () => Promise<Record<string, string>>]>([
    [
      'bearer tokens',
      '/api/v1/partner/customers',
      bearer('a.b.c'),
      async () => bearer((await newPartner(gateway)).token),
    ],
    [
      'operator keys',
      '/api/operator/partners',
      bearer('wrong-operator-key'),
      async () => bearer(OPERATOR_KEY),
    ],
    [
      'API keys',
      '/api/user/webhooks',
      { 'x-api-key': `mk_${wrongSecret}` },
      async () => ({
        'x-api-key': (await gateway.operate('POST', `/merchants/${KNOWN_MERCHANT}/api-keys`)).data.api_key,
      }),
    ],
  ])(
    'answers 429 with Retry-After over the burst to wrong %s, and accepts a valid one',
    async (_what, path, wrong, right) => {
      const headers = await right()
      const guess = () => gateway.call('GET', path, from(ADDRESS, wrong))
      expect(await statusesOf(BURST, guess)).toEqual(ALLOWED)
      const refused = await guess()
      expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '10',
      ])
      expect((await gateway.call('GET', path, from(ADDRESS, headers))).status).toBe(200)
      expect((await gateway.call('GET', path, from('203.0.113.8', wrong))).status).toBe(401)
      fixture.clock.advance(10_000)
      expect(await statusesOf(2, guess)).toEqual([401, 429])
    },
  )

  test('answers 429 to wrong client secrets in the form of RFC 6749', async () => {
    const { client } = await newPartner(gateway)
    const guess = () => tokenCall(ADDRESS, { client_id: client.client_id, client_secret: wrongSecret })
    expect(await statusesOf(BURST, guess)).toEqual(ALLOWED)
    const refused = await guess()
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([
      429,
      'temporarily_unavailable',
      '10',
    ])
    const { client_id, client_secret } = client
    expect((await tokenCall(ADDRESS, { client_id, client_secret })).status).toBe(200)
  })

  test('counts all kinds of credentials together, and an IPv6 /64 as one address', async () => {
    const guess = (host: string) => gateway.call('GET', '/api/operator/partners', from(host, bearer('x')))
    expect((await guess('2001:db8:1:2::1')).status).toBe(401)
    expect((await guess('2001:db8:1:2:ffff::9')).status).toBe(401)
    expect((await tokenCall('2001:db8:1:2::3', { client_id: 'a', client_secret: 'b' })).status).toBe(401)
    expect((await guess('2001:db8:1:2::4')).status).toBe(429)
    expect((await guess('2001:db8:1:3::1')).status).toBe(401)
  })

  test('ignores calls without a credential', async () => {
    const call = () => gateway.call('GET', '/api/v1/partner/customers', from(ADDRESS))
    expect(await statusesOf(BURST * 2, call)).toEqual([...ALLOWED, ...ALLOWED])
  })
})

describe('forged notices', () => {
  const notice = (address: string, raw: string) =>
    gateway.call('POST', '/api/callbacks/cards/processor', { ...from(address), raw })

  test('are refused over the burst without a request to the service, and do not count against other addresses', async () => {
    expect(await statusesOf(BURST, () => notice(ADDRESS, 'forged'))).toEqual(ALLOWED)
    const refused = await notice(ADDRESS, 'forged')
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '10',
    ])
    expect(posted).toHaveLength(BURST)
    expect((await notice('203.0.113.8', 'genuine')).status).toBe(200)
    const wrong = () => gateway.call('GET', '/api/operator/partners', from(ADDRESS, bearer('x')))
    expect((await wrong()).status).toBe(401)
  })

  test('do not block genuine ones from an address from which one came within a day', async () => {
    expect((await notice('198.51.100.1', 'genuine')).status).toBe(200)
    const forge = () => notice('198.51.100.1', 'forged')
    expect(await statusesOf(BURST + 1, forge)).toEqual([...ALLOWED, 429])
    expect((await notice('198.51.100.1', 'genuine')).status).toBe(200)
    fixture.clock.advance(24 * 3_600_000)
    posted = []
    expect(await statusesOf(BURST + 1, forge)).toEqual([...ALLOWED, 429])
    expect(posted).toHaveLength(BURST)
  })
})
