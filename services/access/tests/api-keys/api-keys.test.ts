import { newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import {
  newPartner,
  openFixture,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
let other: Replica

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  other = await fixture.startReplica()
})
afterAll(() => fixture.close())

const newKey = () => gateway.operate('POST', `/merchants/${KNOWN_MERCHANT}/api-keys`)
const readWith = (replica: Replica, key: string) =>
  replica.call('GET', '/api/user/webhooks', { headers: { 'x-api-key': key } })

test('accepts a new key at the merchant API on every replica immediately', async () => {
  const created = await newKey()
  expect([created.status, created.data]).toEqual([201, { api_key: expect.stringMatching(/^mk_[\w-]{43}$/) }])
  for (const replica of [other, gateway, gateway]) {
    const answer = await readWith(replica, created.data.api_key)
    expect([answer.status, answer.data]).toEqual([200, { webhooks: [], next_cursor: null }])
    expect(fixture.script.asked.at(-1)?.caller).toEqual({
      kind: 'merchant',
      merchantId: KNOWN_MERCHANT,
      keyId: expect.stringMatching(/^key_/),
    })
  }
})

test('gives a test call a later deadline, by the time of a merchant attempt', async () => {
  const headers = { 'x-api-key': (await newKey()).data.api_key }
  const calledMs = Date.now()
  await gateway.call('POST', `/api/user/webhooks/${newId('webhook')}/test`, { headers })
  expect(fixture.script.asked.at(-1)?.deadlineMs).toBeGreaterThan(calledMs + TEST_DEADLINE_MS + 6_000)
})

test('accepts each of several keys of a merchant', async () => {
  const [first, second] = [await newKey(), await newKey()]
  expect(first.data.api_key).not.toBe(second.data.api_key)
  expect((await readWith(gateway, first.data.api_key)).status).toBe(200)
  expect((await readWith(gateway, second.data.api_key)).status).toBe(200)
})

test('answers 401 to a key that was never issued, even in the right format', async () => {
  const key = (await newKey()).data.api_key
  const changed = key.slice(0, -2) + (key.endsWith('AA') ? 'BB' : 'AA')
  for (const wrong of [changed, `${key}A`, key.slice(0, -1), key.toUpperCase(), 'mk_', ''])
    expect([wrong, (await readWith(gateway, wrong)).status]).toEqual([wrong, 401])
})

test('refuses a merchant’s key at the partner API and at the operator API', async () => {
  const { api_key: token } = (await newKey()).data
  const headers = { 'x-api-key': token }
  for (const path of ['/api/v1/partner/customers', '/api/operator/partners']) {
    expect((await gateway.call('GET', path, { headers })).status).toBe(401)
    expect((await gateway.call('GET', path, { token })).status).toBe(401)
  }
})

test('answers 404 for an unknown merchant with an id of any format, and creates no key', async () => {
  for (const id of [newId('merchant'), newId('relationship'), 'x'])
    expect((await gateway.operate('POST', `/merchants/${id}/api-keys`)).code).toBe('resource_not_found')
})

test('stores no key in the database or the audit log', async () => {
  const created = await newKey()
  const keys = await fixture.sql('SELECT merchant_api_keys::text FROM merchant_api_keys')
  const audit = await fixture.sql<{ record: string }>(
    'SELECT record FROM audit.records WHERE request_id = $1 ORDER BY sequence',
    [created.json.request_id],
  )
  expect(JSON.stringify(keys)).not.toContain(created.data.api_key)
  expect(JSON.stringify(audit)).not.toContain(created.data.api_key)
  expect(audit.map(({ record }) => JSON.parse(record) as unknown)).toEqual([
    expect.objectContaining({ action: 'gateway.api-keys.create', target: KNOWN_MERCHANT }),
    expect.objectContaining({ after: { customer_id: KNOWN_MERCHANT, key_id: expect.any(String) } }),
  ])
})

test('refuses a key whose row was deleted within half a minute on replicas that have cached it', async () => {
  const key = (await newKey()).data.api_key
  expect((await readWith(gateway, key)).status).toBe(200)
  await fixture.sql('DELETE FROM merchant_api_keys')
  expect((await readWith(gateway, key)).status).toBe(200)
  fixture.clock.advance(30_000)
  expect((await readWith(gateway, key)).status).toBe(401)
})

test('lists the keys of a merchant with only their last characters', async () => {
  const created = (await newKey()).data.api_key
  const listed = await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)
  const newest = listed.data.api_keys.at(-1)
  expect([listed.status, newest]).toEqual([
    200,
    {
      key_id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      hint: created.slice(-4),
      created_at: expect.any(String),
    },
  ])
  const own = await gateway.call('GET', '/api/user/api-keys', { headers: { 'x-api-key': created } })
  expect(own.data.apiKeys.at(-1)).toMatchObject({ keyId: newest?.key_id, hint: newest?.hint })
  expect(listed.text + own.text).not.toContain(created)
})

test.each([
  ['staff', (keyId: string) => gateway.operate('DELETE', `/merchants/${KNOWN_MERCHANT}/api-keys/${keyId}`)],
  [
    'the merchant itself',
    (keyId: string, key: string) =>
      gateway.call('DELETE', `/api/user/api-keys/${keyId}`, { headers: { 'x-api-key': key } }),
  ],
])('refuses a key that %s revokes on every replica within a second, and no other key', async (_, revoke) => {
  const [kept, revoked] = [(await newKey()).data.api_key, (await newKey()).data.api_key]
  for (const replica of [gateway, other]) {
    expect((await readWith(replica, kept)).status).toBe(200)
    expect((await readWith(replica, revoked)).status).toBe(200)
  }
  const listed = await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)
  const keyId = listed.data.api_keys.find(({ hint }) => hint === revoked.slice(-4))?.key_id ?? ''
  expect((await revoke(keyId, revoked)).status).toBe(200)
  expect((await readWith(gateway, revoked)).status).toBe(401)
  // The clock does not move, so the cached credential does not expire: the nudge or the poll invalidates it.
  await eventually(async () => (await readWith(other, revoked)).status === 401)
  for (const replica of [gateway, other]) expect((await readWith(replica, kept)).status).toBe(200)
  expect((await revoke(keyId, kept)).status).toBe(404)
})

test('answers 404 to the revocation of another merchant’s key or of an unknown one', async () => {
  const { api_key: key } = (await newKey()).data
  const { api_keys: keys } = (await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)).data
  const keyId = keys.find(({ hint }) => hint === key.slice(-4))?.key_id ?? ''
  const path = `/merchants/${newId('merchant')}/api-keys`
  for (const id of [`${path}/${keyId}`, `/merchants/${KNOWN_MERCHANT}/api-keys/${newId('apiKey')}`])
    expect((await gateway.operate('DELETE', id)).code).toBe('resource_not_found')
  expect((await readWith(gateway, key)).status).toBe(200)
})

test('revokes a key that was created before keys had ids', async () => {
  const { api_key: key } = (await newKey()).data
  await fixture.sql('UPDATE merchant_api_keys SET key_id = NULL, hint = NULL WHERE hint = $1', [
    key.slice(-4),
  ])
  const { api_keys: keys } = (await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)).data
  const old = keys.find(({ hint }) => hint === null)
  const path = `/merchants/${KNOWN_MERCHANT}/api-keys/${old?.key_id}`
  expect((await gateway.operate('DELETE', path)).status).toBe(200)
  expect((await readWith(gateway, key)).status).toBe(401)
})

test('allows a merchant at most twenty live keys, even under concurrency', async () => {
  await fixture.sql('DELETE FROM merchant_api_keys')
  const answers = await Promise.all(Array.from({ length: 24 }, newKey))
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ status, code, details }) => [status, code, details])).toEqual(
    Array.from({ length: 4 }, () => [409, 'limit_reached', [{ resource: 'api_keys', limit: 20 }]]),
  )
  const listed = await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)
  expect(listed.data.api_keys).toHaveLength(20)
  await gateway.operate('DELETE', `/merchants/${KNOWN_MERCHANT}/api-keys/${listed.data.api_keys[0]?.key_id}`)
  expect((await newKey()).status).toBe(201)
  expect((await newKey()).status).toBe(409)
})

test.each(['api-keys', 'webhook-events'])('answers 404 for the %s of an unknown merchant', async (list) => {
  for (const id of [newId('merchant'), newId('relationship'), 'x']) {
    const answer = await gateway.operate('GET', `/merchants/${id}/${list}`)
    expect([answer.status, answer.code]).toEqual([404, 'resource_not_found'])
  }
})

test('refuses to create a key for a partner’s credentials', async () => {
  const { token } = await newPartner(gateway)
  const path = `/api/operator/merchants/${KNOWN_MERCHANT}/api-keys`
  expect((await gateway.call('POST', path, { token })).status).toBe(401)
})
