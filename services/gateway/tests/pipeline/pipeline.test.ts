import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { CAPABILITIES } from '@causeway/contracts'
import {
  newPartner,
  openFixture,
  OPERATOR_KEY,
  type Replica,
  type Fixture,
} from '../fixtures/running-gateway.ts'
import { KNOWN_CUSTOMER, KNOWN_ORDER } from '../fixtures/script.ts'

let fixture: Fixture
let gateway: Replica
let token: string
let clientId: string
let partnerId: string

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  const created = await newPartner(gateway)
  token = created.token
  clientId = created.client.client_id
  partnerId = created.partner.partner_id
})
afterAll(async () => {
  await fixture.close()
})

const CUSTOMERS = '/api/v1/partner/customers'
const read = (path: string, headers: Record<string, string> = {}) =>
  gateway.call('GET', path, { token, headers })
const create = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.call('POST', CUSTOMERS, { token, raw, headers: { 'content-type': 'application/json', ...headers } })

describe('a success', () => {
  test('is wrapped in the envelope, its data relayed from the service', async () => {
    const answer = await read(`${CUSTOMERS}/${KNOWN_CUSTOMER}`)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['request_id', 'api_version', 'data'])
    expect(answer.json.api_version).toBe('2026-11-01')
    expect(answer.json.request_id).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    expect(answer.data.partner_customer_id).toBe(KNOWN_CUSTOMER)
  })

  test('has headers for request id, rate limit and security, and neither ETag nor X-Powered-By', async () => {
    const { headers, json } = await read(`${CUSTOMERS}/${KNOWN_CUSTOMER}`, { 'x-request-id': 'mine' })
    expect(headers['x-request-id']).toBe(json.request_id)
    expect(headers['ratelimit-limit']).toBe('100000')
    expect(Number(headers['ratelimit-remaining'])).toBeGreaterThan(99_000)
    expect(headers['ratelimit-reset']).toMatch(/^[01]$/)
    expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['strict-transport-security']).toMatch(/^max-age=/)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).not.toHaveProperty('etag')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  test('has the status of its variant: 201 for a new customer, 200 for one that exists', async () => {
    const createCustomer = (external: string) =>
      create(JSON.stringify({ external_customer_id: external, email: 'a@example.com' }))
    expect((await createCustomer('new')).status).toBe(201)
    expect((await createCustomer('again')).status).toBe(200)
  })

  test('relays text of every script byte for byte', async () => {
    const external = 'naïve 店 💶 \u2028'
    const answer = await create(JSON.stringify({ external_customer_id: external, email: 'a@example.com' }))
    expect(answer.data.external_customer_id).toBe(external)
    expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text))
  })

  test('passes the caller to the service, and the default capabilities only where they are needed', async () => {
    fixture.script.asked.length = 0
    await create('{"external_customer_id":"x","email":"a@example.com"}')
    await read(`${CUSTOMERS}?limit=7&cursor=abc`)
    const [created, listed] = fixture.script.asked
    expect(created?.caller).toEqual({
      kind: 'partner',
      partnerId,
      clientId,
      defaultCapabilities: CAPABILITIES,
    })
    expect(listed?.caller).toEqual({ kind: 'partner', partnerId, clientId })
    expect(listed?.query).toEqual({ limit: 7, cursor: 'abc' })
  })

  test('answers HEAD like GET, without the body', async () => {
    const answer = await gateway.call('HEAD', `${CUSTOMERS}/${KNOWN_CUSTOMER}`, { token })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100)
  })
})

describe('a refusal of the service', () => {
  test('has the status of its code, its details and the envelope', async () => {
    const answer = await gateway.call('POST', `/api/v1/partner/orders/${KNOWN_ORDER}/cancel`, { token })
    expect(answer.status).toBe(409)
    expect(answer.json).toEqual({
      error: {
        code: 'invalid_state',
        message: 'The resource’s state does not allow this.',
        request_id: answer.headers['x-request-id'],
        details: [{ from: 'paid', to: 'cancelled' }],
      },
    })
  })

  test('is 400 for an invalid body and names each field once', async () => {
    const answer = await create('{"external_customer_id":5,"extra":1}')
    expect(answer.status).toBe(400)
    expect(answer.code).toBe('invalid_request')
    expect(answer.details).toEqual(
      expect.arrayContaining([
        { field: 'external_customer_id', reason: 'invalid_type', expected: 'text' },
        { field: 'email', reason: 'required' },
        { field: 'extra', reason: 'unknown_field' },
      ]),
    )
  })

  test.each(['%E0%A4%A', 'x', '%00', '..%2F..', `${KNOWN_CUSTOMER}%20`, 'pcu_%F0%9F%92%A9'])(
    'is the same for a malformed id %s as for an unknown one',
    async (id) => {
      const answer = await read(`${CUSTOMERS}/${id}`)
      expect([answer.status, answer.code]).toEqual([404, 'resource_not_found'])
    },
  )

  test.each(['%E0%A4%A', 'x', KNOWN_CUSTOMER])('is 400 for an invalid body with any id, %s', async (id) => {
    const path = `/api/operator/customers/${id}/capabilities/payouts`
    const answer = await gateway.call('PUT', path, { token: OPERATOR_KEY, body: { enabled: 1 } })
    expect(answer.status).toBe(400)
    expect(answer.details).toEqual([{ field: 'enabled', reason: 'invalid_type', expected: 'true or false' }])
  })
})

describe('authentication', () => {
  test.each([
    ['/api/v1/partner/customers', 'Bearer realm="causeway"'],
    ['/api/v1/partner/nothing/here', 'Bearer realm="causeway"'],
    ['/api/v1/partner', 'Bearer realm="causeway"'],
    ['/api/operator/partners', 'Bearer realm="causeway"'],
    ['/api/operator/nothing', 'Bearer realm="causeway"'],
    ['/api/user/webhooks', 'ApiKey realm="causeway"'],
    ['/api/user/nothing', 'ApiKey realm="causeway"'],
  ])('answers 401 without a credential to %s, whether or not the route exists', async (path, challenge) => {
    const answer = await gateway.call('GET', path)
    expect([answer.status, answer.code]).toEqual([401, 'unauthorized'])
    expect(answer.headers['www-authenticate']).toBe(challenge)
    expect(answer.headers).toHaveProperty('ratelimit-limit')
  })

  test.each(['x', 'Basic eDp5', 'Bearer', 'Bearer a.b.c', `Bearer ${OPERATOR_KEY}`])(
    'answers 401 to the credential %j',
    async (authorization) => {
      const answer = await gateway.call('GET', CUSTOMERS, { headers: { authorization } })
      expect([answer.status, answer.code]).toEqual([401, 'unauthorized'])
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="causeway", error="invalid_token"')
    },
  )

  test('accepts a partner token neither in the operator API nor in the merchant API', async () => {
    expect((await gateway.call('GET', '/api/operator/partners', { token })).status).toBe(401)
    expect(
      (await gateway.call('GET', '/api/user/webhooks', { headers: { 'x-api-key': token } })).status,
    ).toBe(401)
  })
})

describe('routing', () => {
  test('answers 404 to an unknown path with a credential', async () => {
    for (const path of [
      '/api/v1/partner/nothing',
      '/api/v1/partner',
      '/api/v1/partner/customers/',
      '/api/v1/partnerX',
      '/',
    ]) {
      const answer = await read(path)
      expect([path, answer.status, answer.code]).toEqual([path, 404, 'resource_not_found'])
    }
  })

  test('links the documentation for an unknown path, but not for a resource that does not exist', async () => {
    const messageOf = async (path: string) => (await read(path)).json
    expect(await messageOf('/api/v1/partner/customer')).toMatchObject({
      error: { message: expect.stringMatching(/^No endpoint has this path: see GET \/docs/) },
    })
    expect(await messageOf(`${CUSTOMERS}/pcu_x`)).toMatchObject({
      error: { message: 'No such resource exists, or you cannot see it.' },
    })
  })

  test('shows a browser at the base URL what this is, and where to go', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const visit = await gateway.call('GET', '/', { headers: { accept } })
    expect([visit.status, visit.headers['vary']]).toEqual([200, 'Accept'])
    for (const path of ['/docs', '/docs/start', '/portal', '/console', '/openapi.json', '/readyz']) {
      expect(visit.text).toContain(`href="${path}"`)
      expect([path, (await gateway.call('GET', path)).status < 400]).toEqual([path, true])
    }
    expect((await gateway.call('POST', '/', { headers: { accept } })).status).toBe(404)
    expect((await gateway.call('GET', '/', { headers: { accept: '*/*' } })).status).toBe(404)
  })

  test('answers 405 to another method, and lists the methods of the path in Allow', async () => {
    const answer = await gateway.call('DELETE', CUSTOMERS, { token })
    expect([answer.status, answer.code]).toEqual([405, 'method_not_allowed'])
    expect(answer.headers['allow']).toBe('POST, GET, HEAD')
    expect((await gateway.call('OPTIONS', CUSTOMERS, { token })).status).toBe(405)
    expect((await gateway.call('POST', '/healthz')).headers['allow']).toBe('GET, HEAD')
  })
})

describe('api-version', () => {
  test('is accepted for this version and refused for any other', async () => {
    expect((await read(CUSTOMERS, { 'api-version': '2026-11-01' })).status).toBe(200)
    const answer = await read(CUSTOMERS, { 'api-version': '2025-01-01' })
    expect(answer.status).toBe(400)
    expect(answer.code).toBe('invalid_request')
    expect(answer.details).toEqual([
      { field: 'api-version', reason: 'unsupported_version', allowed: ['2026-11-01'] },
    ])
  })

  test('is checked after the credential', async () => {
    expect((await gateway.call('GET', CUSTOMERS, { headers: { 'api-version': 'x' } })).status).toBe(401)
  })
})

describe('scopes', () => {
  test('are checked before the body is read: a token without the scope gets 403', async () => {
    const { client } = await newPartner(gateway, { scopes: ['customers:read'] })
    const issued = await gateway.askToken(client)
    const answer = await gateway.call('POST', CUSTOMERS, {
      token: issued.json.access_token,
      raw: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.code]).toEqual([403, 'insufficient_scope'])
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="causeway", error="insufficient_scope", scope="customers:write"',
    )
  })
})

describe('a service that does not answer', () => {
  test('causes 503 immediately when it is down, long before the deadline', async () => {
    const startedMs = performance.now()
    const answer = await read(`/api/v1/partner/orders/${KNOWN_ORDER}`)
    expect([answer.status, answer.code]).toEqual([503, 'temporarily_unavailable'])
    expect(answer.headers['retry-after']).toBe('1')
    expect(performance.now() - startedMs).toBeLessThan(TEST_DEADLINE_MS / 2)
  })
})
