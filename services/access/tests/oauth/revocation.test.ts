import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
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

type Credentials = Readonly<{ client_id: string; client_secret: string }>
const revoke = ({ client_id, client_secret }: Credentials, body: Record<string, unknown>) =>
  one.call('POST', '/api/oauth/revoke', { body: { client_id, client_secret, ...body } })
const statusOn = async (replica: Replica, token: string) =>
  (await replica.call('GET', '/api/v1/partner/customers', { token })).status
const refusal = (answer: Answer) => [answer.status, answer.code]

test('ends a revoked token on every replica, and no other token of its client', async () => {
  const { client, token } = await newPartner(one)
  const { access_token: kept } = (await one.askToken(client)).json
  for (const replica of [one, two])
    for (const live of [token, kept]) expect(await statusOn(replica, live)).toBe(200)
  const answer = await revoke(client, { token, token_type_hint: 'access_token' })
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(await statusOn(one, token)).toBe(401)
  await eventually(async () => (await statusOn(two, token)) === 401)
  for (const replica of [one, two]) expect(await statusOn(replica, kept)).toBe(200)
  expect((await revoke(client, { token })).status).toBe(200)
})

test('answers 200 for text that is not a token and for an expired token', async () => {
  const { client, token } = await newPartner(one)
  for (const text of ['x', 'a.b.c', `${token}x`])
    expect((await revoke(client, { token: text })).status).toBe(200)
  expect(await statusOn(one, token)).toBe(200)
  fixture.clock.advance(900_000)
  expect((await revoke(client, { token })).status).toBe(200)
})

test("refuses to revoke another client's token, which stays valid", async () => {
  const [mine, other] = await Promise.all([newPartner(one), newPartner(one)])
  expect(refusal(await revoke(mine.client, { token: other.token }))).toEqual([400, 'invalid_grant'])
  expect(await statusOn(one, other.token)).toBe(200)
})

test('requires the client’s credentials and a token', async () => {
  const { client, token } = await newPartner(one)
  const wrong = { ...client, client_secret: 'x'.repeat(43) }
  expect(refusal(await revoke(wrong, { token }))).toEqual([401, 'invalid_client'])
  expect(refusal(await revoke(client, {}))).toEqual([400, 'invalid_request'])
  expect(await statusOn(one, token)).toBe(200)
})

test('publishes the endpoint and its authentication methods in the metadata', async () => {
  expect((await one.call('GET', '/.well-known/oauth-authorization-server')).json).toMatchObject({
    revocation_endpoint: `${BASE_URL}/api/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'],
  })
})
