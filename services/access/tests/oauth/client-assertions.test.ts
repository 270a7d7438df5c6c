import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import {
  BASE_URL,
  newPartner,
  openFixture,
  type Answer,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let one: Replica
let two: Replica

beforeAll(async () => {
  fixture = await openFixture()
  ;[one, two] = await Promise.all([fixture.startReplica(), fixture.startReplica()])
})
afterAll(() => fixture.close())

type Pair = Readonly<{ alg: string; privateKey: CryptoKey; jwk: JWK }>
const newPair = async (alg: string, kid?: string): Promise<Pair> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), ...(kid === undefined ? {} : { kid }) } }
}

const TOKEN_URL = `${BASE_URL}/api/oauth/token`
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
type Change = {
  iss?: string
  sub?: string
  aud?: string | string[]
  expiresInSeconds?: number
  jti?: string
  kid?: string
}

const nowSeconds = () => Math.floor(fixture.clock.outsideMs() / 1_000)
const assertionOf = ({ alg, privateKey, jwk }: Pair, clientId: string, change: Change = {}) =>
  new SignJWT({})
    .setProtectedHeader({ alg, ...((change.kid ?? jwk.kid) ? { kid: change.kid ?? jwk.kid ?? '' } : {}) })
    .setIssuer(change.iss ?? clientId)
    .setSubject(change.sub ?? clientId)
    .setAudience(change.aud ?? TOKEN_URL)
    .setExpirationTime(nowSeconds() + (change.expiresInSeconds ?? 60))
    .setJti(change.jti ?? randomUUID())
    .sign(privateKey)

const present = (replica: Replica, assertion: string, more: Record<string, string> = {}) =>
  replica.call('POST', '/api/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: TYPE,
      client_assertion: assertion,
      ...more,
    }).toString(),
  })
const register = (clientId: string, keys: readonly unknown[]) =>
  one.operate('PUT', `/clients/${clientId}/keys`, { jwks: { keys } })
const refusal = (answer: Answer) => [answer.status, answer.code]
const readWith = (replica: Replica, token: string) =>
  replica.call('GET', '/api/v1/partner/customers', { token })

const newClient = async (pair: Pair) => {
  const { client } = await newPartner(one)
  expect((await register(client.client_id, [pair.jwk])).status).toBe(200)
  return client
}

describe('client authentication by an assertion', () => {
  test.each(['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'])(
    'issues a token for an assertion signed with %s',
    async (alg) => {
      const pair = await newPair(alg)
      const { client_id: id } = await newClient(pair)
      const answer = await present(two, await assertionOf(pair, id), { scope: 'customers:read' })
      expect([answer.status, answer.json.scope]).toEqual([200, 'customers:read'])
      expect((await readWith(one, answer.json.access_token)).status).toBe(200)
    },
  )

  test('accepts the issuer as the audience, and a client_id in the form that names the same client', async () => {
    const pair = await newPair('ES256')
    const { client_id: id } = await newClient(pair)
    expect((await present(one, await assertionOf(pair, id, { aud: BASE_URL }))).status).toBe(200)
    expect((await present(one, await assertionOf(pair, id), { client_id: id })).status).toBe(200)
    const other = (await newPartner(one)).client.client_id
    expect(refusal(await present(one, await assertionOf(pair, id), { client_id: other }))).toEqual([
      401,
      'invalid_client',
    ])
  })

  test('verifies with the key that the kid names', async () => {
    const [old, next] = await Promise.all([newPair('ES256', 'old'), newPair('ES256', 'next')])
    const { client } = await newPartner(one)
    await register(client.client_id, [old.jwk, next.jwk])
    for (const pair of [old, next])
      expect((await present(one, await assertionOf(pair, client.client_id))).status).toBe(200)
    const misnamed = await assertionOf(old, client.client_id, { kid: 'next' })
    expect(refusal(await present(one, misnamed))).toEqual([401, 'invalid_client'])
  })

  test('issues a token for the secret of a client that also has keys', async () => {
    expect((await one.askToken(await newClient(await newPair('ES256')))).status).toBe(200)
  })
})

describe('a refused assertion', () => {
  let pair: Pair
  let id: string
  beforeAll(async () => {
    pair = await newPair('ES256')
    id = (await newClient(pair)).client_id
  })
  const expectRefused = async (assertion: string) =>
    expect(refusal(await present(one, assertion))).toEqual([401, 'invalid_client'])

  test.each<[string, Change]>([
    ['another audience', { aud: 'https://elsewhere.example' }],
    ['a further audience', { aud: [TOKEN_URL, 'https://elsewhere.example'] }],
    ['another issuer', { iss: 'cli_01k8z3v5x9f8qbm7c2r4t6w8ya' }],
    ['an unknown client', { sub: 'cli_01k8z3v5x9f8qbm7c2r4t6w8ya', iss: 'cli_01k8z3v5x9f8qbm7c2r4t6w8ya' }],
    ['a subject that is not a client', { sub: 'nobody\u0000', iss: 'nobody\u0000' }],
    ['an expiry in the past', { expiresInSeconds: -10 }],
    ['an expiry more than five minutes ahead', { expiresInSeconds: 320 }],
    ['an empty jti', { jti: '' }],
    ['an unknown kid', { kid: 'nothing' }],
  ])('answers invalid_client to %s', async (_what, change) =>
    expectRefused(await assertionOf(pair, id, change)),
  )

  test('answers invalid_client to a signature by another key, no signature, a symmetric one, and text that is not a JWT', async () => {
    await expectRefused(await assertionOf(await newPair('ES256'), id))
    const [, payload = ''] = (await assertionOf(pair, id)).split('.')
    await expectRefused(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`)
    const hmac = new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setIssuer(id).setSubject(id)
    const claims = hmac.setAudience(TOKEN_URL).setExpirationTime(nowSeconds() + 60)
    await expectRefused(await claims.setJti('x').sign(Buffer.from(String(pair.jwk.x))))
    for (const text of ['x', 'a.b.c', 'x'.repeat(10_000)]) await expectRefused(text)
  })

  test('answers invalid_client to an assertion without jti or without expiry', async () => {
    const base = () =>
      new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).setIssuer(id).setSubject(id).setAudience(TOKEN_URL)
    await expectRefused(await base().setJti('x').sign(pair.privateKey))
    await expectRefused(
      await base()
        .setExpirationTime(nowSeconds() + 60)
        .sign(pair.privateKey),
    )
  })

  test('answers invalid_client to the second use of an assertion, on any replica and in parallel', async () => {
    const assertion = await assertionOf(pair, id)
    const answers = await Promise.all(
      [one, two, one, two, one, two].map((replica) => present(replica, assertion)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  })

  test('answers invalid_client to a disabled client', async () => {
    const other = await newPair('ES256')
    const client = await newClient(other)
    await one.operate('PATCH', `/clients/${client.client_id}`, { status: 'disabled' })
    await expectRefused(await assertionOf(other, client.client_id))
  })

  test('answers invalid_client to another client_assertion_type, and invalid_request to two methods together', async () => {
    const odd = await present(one, await assertionOf(pair, id), { client_assertion_type: 'saml' })
    expect(refusal(odd)).toEqual([401, 'invalid_client'])
    const both = await present(one, await assertionOf(pair, id), { client_secret: 'x' })
    expect(refusal(both)).toEqual([400, 'invalid_request'])
  })
})

test('ends the tokens of a removed key on every replica, and no others', async () => {
  const [removed, kept] = await Promise.all([newPair('ES256', 'a'), newPair('EdDSA', 'b')])
  const { client, token } = await newPartner(one)
  const path = `/clients/${client.client_id}/keys`
  await register(client.client_id, [removed.jwk, kept.jwk])
  const tokenOf = async (pair: Pair) =>
    (await present(one, await assertionOf(pair, client.client_id))).json.access_token
  const [ends, stays] = [await tokenOf(removed), await tokenOf(kept)]
  expect((await readWith(two, ends)).status).toBe(200)
  const { data } = await register(client.client_id, [kept.jwk])
  expect((await one.operate('GET', path)).data).toEqual(data)
  expect((await readWith(one, ends)).status).toBe(401)
  await eventually(async () => (await readWith(two, ends)).status === 401)
  for (const live of [stays, token]) expect((await readWith(two, live)).status).toBe(200)
})

describe('registration of keys', () => {
  const refusedKeys = async (keys: readonly unknown[]) => {
    const { client } = await newPartner(one)
    const answer = await register(client.client_id, keys)
    return [answer.status, answer.details]
  }

  test('refuses keys with a private member, invalid keys and weak keys', async () => {
    const { privateKey, jwk } = await newPair('ES256')
    const at = (field: string, reason: string) => ({ field: `jwks.keys.${field}`, reason })
    const expected = 'a valid public key of its kty; RSA of at least 2048 bits'
    const invalid = [400, [{ ...at('0', 'invalid_value'), expected }]]
    expect(await refusedKeys([await exportJWK(privateKey)])).toEqual([400, [at('0.d', 'unknown_field')]])
    expect(await refusedKeys([{ ...jwk, y: jwk.x }])).toEqual(invalid)
    const { publicKey } = await generateKeyPair('RS256', { modulusLength: 2_048 })
    const rsa = await exportJWK(publicKey)
    const weak = Buffer.from(String(rsa.n), 'base64url')
    weak[0] = 0x7f
    expect(await refusedKeys([{ ...rsa, n: weak.toString('base64url') }])).toEqual(invalid)
    expect(await refusedKeys([{ kty: 'oct', k: 'c2VjcmV0' }])).toEqual([400, expect.any(Array)])
  })

  test('refuses more than five keys, and a repeated key', async () => {
    const pairs = await Promise.all(Array.from({ length: 6 }, () => newPair('ES256')))
    const jwks = pairs.map(({ jwk }) => jwk)
    expect(await refusedKeys(jwks)).toEqual([
      400,
      [{ field: 'jwks.keys', reason: 'too_many', expected: 'at most 5 items' }],
    ])
    const twice = [jwks[0], { ...jwks[0], kid: 'again' }]
    const expected = 'a kid and a key that no other entry has'
    const again = { field: 'jwks.keys.1.kid', reason: 'invalid_value', expected }
    expect(await refusedKeys(twice)).toEqual([400, [again]])
  })

  test('answers 404 for an unknown client', async () => {
    const { jwk } = await newPair('ES256')
    for (const id of ['cli_01k8z3v5x9f8qbm7c2r4t6w8ya', 'x'])
      expect((await register(id, [jwk])).code).toBe('resource_not_found')
  })
})
