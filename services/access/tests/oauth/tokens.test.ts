import {
  createLocalJWKSet,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
  generateKeyPair,
  type JSONWebKeySet,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SCOPES } from '@causeway/contracts'
import {
  BASE_URL,
  newPartner,
  openFixture,
  type Answer,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
let client: { client_id: string; client_secret: string }
let partnerId: string

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  const made = await newPartner(gateway, { scopes: ['customers:read', 'orders:read', 'kyb:read'] })
  client = made.client
  partnerId = made.partner.partner_id
})
afterAll(async () => {
  await fixture.close()
})

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/api/oauth/token', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const GRANT = { grant_type: 'client_credentials' }
const jwksOf = async () =>
  JSON.parse((await gateway.call('GET', '/.well-known/jwks.json')).text) as JSONWebKeySet
const codes = (answer: Answer) => [answer.status, answer.code]

describe('a token', () => {
  test('is issued for Basic credentials and a form as in RFC 6749 §5.1, with Cache-Control: no-store', async () => {
    const answer = await form(GRANT, basic(client.client_id, client.client_secret))
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'customers:read kyb:read orders:read',
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers).toHaveProperty('ratelimit-limit')
  })

  test('is issued for JSON with the credentials in the body, for the requested scopes', async () => {
    const answer = await gateway.askToken(client, 'orders:read customers:read')
    expect([answer.status, answer.json.scope]).toEqual([200, 'customers:read orders:read'])
  })

  test('can be verified with the published keys and has the claims of RFC 9068', async () => {
    const { access_token: token } = (await gateway.askToken(client, 'kyb:read')).json
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    const { payload } = await jwtVerify(token, createLocalJWKSet(await jwksOf()), {
      issuer: BASE_URL,
      audience: BASE_URL,
      typ: 'at+jwt',
    })
    expect(payload).toMatchObject({
      sub: client.client_id,
      client_id: client.client_id,
      partner_id: partnerId,
      scope: 'kyb:read',
      jti: expect.any(String),
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
  })

  test('has a new jti each time', async () => {
    const [first, second] = await Promise.all([gateway.askToken(client), gateway.askToken(client)])
    expect(first.json.access_token).not.toBe(second.json.access_token)
  })
})

describe('errors of RFC 6749 §5.2', () => {
  const wrong = 'x'.repeat(43)
  test('answers the same invalid_client to a wrong secret and to an unknown client', async () => {
    const refused = await Promise.all([
      gateway.askToken({ ...client, client_secret: wrong }),
      gateway.askToken({ client_id: 'cli_01k8z3v5x9f8qbm7c2r4t6w8ya', client_secret: wrong }),
      form({ ...GRANT, client_id: 'nobody\u0000', client_secret: wrong }),
      form(GRANT, basic(client.client_id, wrong)),
    ])
    for (const answer of refused) {
      expect(codes(answer)).toEqual([401, 'invalid_client'])
      expect(answer.headers['www-authenticate']).toBe('Basic realm="causeway", charset="UTF-8"')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.text).toBe(refused[0].text)
    }
  })

  test('answers invalid_scope to a request with one scope that the client does not have', async () => {
    expect(codes(await gateway.askToken(client, 'customers:read refunds:write'))).toEqual([
      400,
      'invalid_scope',
    ])
    expect(codes(await gateway.askToken(client, 'customers:read  kyb:read'))).toEqual([400, 'invalid_scope'])
    expect(codes(await gateway.askToken(client, 'everything'))).toEqual([400, 'invalid_scope'])
  })

  test('answers unsupported_grant_type to another grant', async () => {
    const answer = await form({ grant_type: 'password' }, basic(client.client_id, client.client_secret))
    expect(codes(answer)).toEqual([400, 'unsupported_grant_type'])
  })

  test.each([
    ['credentials in both places', { ...GRANT, client_id: 'a', client_secret: 'b' }, basic('a', 'b')],
    ['no grant_type', {}, basic('a', 'b')],
    ['another content type', GRANT, { 'content-type': 'text/plain' }],
  ])('answers invalid_request to %s', async (_, fields, headers) => {
    expect(codes(await form(fields as Record<string, string>, headers))).toEqual([400, 'invalid_request'])
  })

  test('answers 413 to a body over 256 KiB, in the format of the token endpoint', async () => {
    const answer = await form({ ...GRANT, pad: 'x'.repeat(300_000) })
    expect([answer.status, answer.json]).toEqual([
      413,
      { error: 'invalid_request', error_description: 'The body is larger than 256 KiB.' },
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('a forged token', () => {
  const read = (token: string) => gateway.call('GET', '/api/v1/partner/customers', { token })
  const forge = async (change: { typ?: string; issuer?: string; audience?: string; kid?: string }) => {
    const { privateKey } = await generateKeyPair('ES256')
    const [key] = (await jwksOf()).keys
    return new SignJWT({ client_id: client.client_id, partner_id: partnerId, scope: SCOPES.join(' ') })
      .setProtectedHeader({ alg: 'ES256', typ: change.typ ?? 'at+jwt', kid: change.kid ?? key?.kid ?? '' })
      .setIssuer(change.issuer ?? BASE_URL)
      .setAudience(change.audience ?? BASE_URL)
      .setSubject(client.client_id)
      .setJti('x')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  }

  test('gets 401 if another key or an unknown key signed it', async () => {
    expect(codes(await read(await forge({})))).toEqual([401, 'unauthorized'])
    expect(codes(await read(await forge({ kid: 'unknown' })))).toEqual([401, 'unauthorized'])
  })

  test('gets 401 without a signature', async () => {
    const { access_token: token } = (await gateway.askToken(client)).json
    const [, payload] = token.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    expect(codes(await read(`${header}.${payload}.`))).toEqual([401, 'unauthorized'])
  })

  test('gets 401 if its claims were changed', async () => {
    const { access_token: token } = (await gateway.askToken(client)).json
    const [header, payload = '', signature] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const changed = Buffer.from(JSON.stringify({ ...claims, scope: SCOPES.join(' ') })).toString('base64url')
    expect(codes(await read(`${header}.${changed}.${signature}`))).toEqual([401, 'unauthorized'])
  })
})

test('publishes the endpoints in the metadata (RFC 8414)', async () => {
  const answer = await gateway.call('GET', '/.well-known/oauth-authorization-server')
  expect(answer.json).toMatchObject({
    issuer: BASE_URL,
    token_endpoint: `${BASE_URL}/api/oauth/token`,
    jwks_uri: `${BASE_URL}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    scopes_supported: SCOPES,
  })
})

test('publishes no private part of a key', async () => {
  for (const key of (await jwksOf()).keys)
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})
