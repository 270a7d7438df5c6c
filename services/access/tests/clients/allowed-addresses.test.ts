import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import {
  newPartner,
  openFixture,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

const HERE = '203.0.113.7'
const THERE = '198.51.100.1'

let fixture: Fixture
let one: Replica
let two: Replica

beforeAll(async () => {
  fixture = await openFixture()
  const behindProxy = { trustedProxies: 1 }
  ;[one, two] = await Promise.all([fixture.startReplica(behindProxy), fixture.startReplica(behindProxy)])
})
afterAll(() => fixture.close())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const read = async (replica: Replica, token: string, address: string) =>
  (await replica.call('GET', '/api/v1/partner/customers', { token, ...from(address) })).status
const askToken = (client: Readonly<{ client_id: string; client_secret: string }>, address: string) =>
  one.call('POST', '/api/oauth/token', {
    ...from(address),
    body: {
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
    },
  })
const allow = (clientId: string, allowed_addresses: unknown) =>
  one.operate('PATCH', `/clients/${clientId}`, { allowed_addresses })

test('accepts a client with a list only from its addresses, also with issued tokens', async () => {
  const { client, token } = await newPartner(one)
  expect(await read(two, token, THERE)).toBe(200)
  const changed = await allow(client.client_id, ['203.0.113.0/28', '2001:db8::/32'])
  expect([changed.status, changed.data.client.allowed_addresses]).toEqual([
    200,
    ['203.0.113.0/28', '2001:db8::/32'],
  ])
  expect(await read(one, token, THERE)).toBe(401)
  await eventually(async () => (await read(two, token, THERE)) === 401)
  for (const address of [HERE, '2001:db8:7::1', `::ffff:${HERE}`])
    expect(await read(two, token, address)).toBe(200)
  const refused = await askToken(client, THERE)
  expect([refused.status, refused.code]).toEqual([401, 'invalid_client'])
  // The answer does not reveal that a stolen secret is valid.
  const wrong = await askToken({ ...client, client_secret: 'wrong' }, HERE)
  expect(refused.json).toEqual(wrong.json)
  expect((await askToken(client, HERE)).status).toBe(200)
  // Another update does not change the list.
  await one.operate('PATCH', `/clients/${client.client_id}`, { scopes: ['customers:read'] })
  expect(await read(one, token, THERE)).toBe(401)
  await allow(client.client_id, null)
  await eventually(async () => (await read(two, token, THERE)) === 200)
})

test('shows a client without a list, and accepts it from any address', async () => {
  const { client, partner } = await newPartner(one)
  const { clients } = (await one.operate('GET', `/partners/${partner.partner_id}`)).data
  expect(clients.map((each) => Object.keys(each))).toEqual([['client_id', 'status', 'scopes', 'created_at']])
  expect((await askToken(client, THERE)).status).toBe(200)
})

test('requires 1 to 50 addresses or CIDR blocks in a list', async () => {
  const { client } = await newPartner(one)
  const field = 'allowed_addresses'
  const many = Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`)
  expect((await allow(client.client_id, many)).details).toEqual([
    { field, reason: 'too_many', expected: 'at most 50 items' },
  ])
  expect((await allow(client.client_id, [])).details).toEqual([
    { field, reason: 'too_short', expected: 'at least 1 item' },
  ])
  const expected =
    'an IPv4 address or an IPv6 address or a block of IPv4 addresses (192.0.2.0/24) or a block of IPv6 addresses (2001:db8::/32)'
  for (const bad of ['203.0.113.0/33', 'example.com', '203.0.113', '::1/129', ''])
    expect([bad, (await allow(client.client_id, [bad])).details]).toEqual([
      bad,
      [{ field: 'allowed_addresses.0', reason: 'invalid_value', expected }],
    ])
  expect((await allow(client.client_id, [7])).details).toEqual([
    { field: 'allowed_addresses.0', reason: 'invalid_type', expected: 'text' },
  ])
  expect((await allow(client.client_id, many.slice(1))).status).toBe(200)
})
