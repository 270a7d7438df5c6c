import { newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { KNOWN_MERCHANT } from '../fixtures/fake-services.ts'
import { newPartner, openFixture, type Replica, type Fixture } from '../fixtures/running-gateway.ts'

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

test('a new key opens the merchant API on every replica at once, as its merchant', async () => {
  const made = await newKey()
  expect([made.status, made.data]).toEqual([201, { api_key: expect.stringMatching(/^mk_[\w-]{43}$/) }])
  for (const replica of [other, gateway, gateway]) {
    const answer = await readWith(replica, made.data.api_key)
    expect([answer.status, answer.data]).toEqual([200, { webhooks: [], next_cursor: null }])
    expect(fixture.script.asked.at(-1)?.caller).toEqual({ kind: 'merchant', merchantId: KNOWN_MERCHANT })
  }
})

test('a test call has the time of a whole merchant attempt beyond that of any other call', async () => {
  const headers = { 'x-api-key': (await newKey()).data.api_key }
  const calledMs = Date.now()
  await gateway.call('POST', `/api/user/webhooks/${newId('webhook')}/test`, { headers })
  expect(fixture.script.asked.at(-1)?.deadlineMs).toBeGreaterThan(calledMs + TEST_DEADLINE_MS + 6_000)
})

test('a merchant may have several keys, and each works', async () => {
  const [first, second] = [await newKey(), await newKey()]
  expect(first.data.api_key).not.toBe(second.data.api_key)
  expect((await readWith(gateway, first.data.api_key)).status).toBe(200)
  expect((await readWith(gateway, second.data.api_key)).status).toBe(200)
})

test('a key that was never issued is 401, however much it looks like one', async () => {
  const key = (await newKey()).data.api_key
  const changed = key.slice(0, -2) + (key.endsWith('AA') ? 'BB' : 'AA')
  for (const wrong of [changed, `${key}A`, key.slice(0, -1), key.toUpperCase(), 'mk_', ''])
    expect([wrong, (await readWith(gateway, wrong)).status]).toEqual([wrong, 401])
})

test('a key opens neither the partner API nor the operator API', async () => {
  const { api_key: token } = (await newKey()).data
  const headers = { 'x-api-key': token }
  for (const path of ['/api/v1/partner/customers', '/api/operator/partners']) {
    expect((await gateway.call('GET', path, { headers })).status).toBe(401)
    expect((await gateway.call('GET', path, { token })).status).toBe(401)
  }
})

test('an unknown merchant is 404, whatever its id looks like, and gets no key', async () => {
  for (const id of [newId('merchant'), newId('relationship'), 'x'])
    expect((await gateway.operate('POST', `/merchants/${id}/api-keys`)).code).toBe('resource_not_found')
})

test('neither the database nor the audit log holds a key', async () => {
  const made = await newKey()
  const client = new pg.Client({ connectionString: fixture.databaseUrl })
  await client.connect()
  const keys = await client.query('SELECT merchant_api_keys::text FROM merchant_api_keys')
  const audit = await client.query<{ record: string }>(
    'SELECT record FROM audit.records WHERE request_id = $1 ORDER BY sequence',
    [made.json.request_id],
  )
  await client.end()
  expect(JSON.stringify(keys.rows)).not.toContain(made.data.api_key)
  expect(JSON.stringify(audit.rows)).not.toContain(made.data.api_key)
  expect(audit.rows.map(({ record }) => JSON.parse(record) as unknown)).toEqual([
    expect.objectContaining({ action: 'gateway.api-keys.create', target: KNOWN_MERCHANT }),
    expect.objectContaining({ after: { customer_id: KNOWN_MERCHANT, key_id: expect.any(String) } }),
  ])
})

test('a key that was taken out of the table ends within half a minute on replicas that know it', async () => {
  const key = (await newKey()).data.api_key
  expect((await readWith(gateway, key)).status).toBe(200)
  const client = new pg.Client({ connectionString: fixture.databaseUrl })
  await client.connect()
  await client.query('DELETE FROM merchant_api_keys')
  await client.end()
  expect((await readWith(gateway, key)).status).toBe(200)
  fixture.clock.advance(30_000)
  expect((await readWith(gateway, key)).status).toBe(401)
})

test('the keys of a merchant are listed by their last characters, and by nothing more', async () => {
  const made = (await newKey()).data.api_key
  const listed = await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)
  const newest = listed.data.api_keys.at(-1)
  expect([listed.status, newest]).toEqual([
    200,
    {
      key_id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      hint: made.slice(-4),
      created_at: expect.any(String),
    },
  ])
  const own = await gateway.call('GET', '/api/user/api-keys', { headers: { 'x-api-key': made } })
  expect(own.data.apiKeys.at(-1)).toMatchObject({ keyId: newest?.key_id, hint: newest?.hint })
  expect(listed.text + own.text).not.toContain(made)
})

test.each([
  ['staff', (keyId: string) => gateway.operate('DELETE', `/merchants/${KNOWN_MERCHANT}/api-keys/${keyId}`)],
  [
    'the merchant itself',
    (keyId: string, key: string) =>
      gateway.call('DELETE', `/api/user/api-keys/${keyId}`, { headers: { 'x-api-key': key } }),
  ],
])('a key that %s revokes ends on every replica within a second, and no other', async (_, revoke) => {
  const [kept, taken] = [(await newKey()).data.api_key, (await newKey()).data.api_key]
  for (const replica of [gateway, other]) {
    expect((await readWith(replica, kept)).status).toBe(200)
    expect((await readWith(replica, taken)).status).toBe(200)
  }
  const listed = await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)
  const keyId = listed.data.api_keys.find(({ hint }) => hint === taken.slice(-4))?.key_id ?? ''
  expect((await revoke(keyId, taken)).status).toBe(200)
  expect((await readWith(gateway, taken)).status).toBe(401)
  // The clock stands: it is the nudge or the poll that tells, not the end of what is remembered.
  await eventually(async () => (await readWith(other, taken)).status === 401)
  for (const replica of [gateway, other]) expect((await readWith(replica, kept)).status).toBe(200)
  expect((await revoke(keyId, kept)).status).toBe(404)
})

test('a key of another merchant is not there to be revoked, nor is one that never was', async () => {
  const { api_key: key } = (await newKey()).data
  const { api_keys: keys } = (await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)).data
  const keyId = keys.find(({ hint }) => hint === key.slice(-4))?.key_id ?? ''
  const path = `/merchants/${newId('merchant')}/api-keys`
  for (const id of [`${path}/${keyId}`, `/merchants/${KNOWN_MERCHANT}/api-keys/${newId('apiKey')}`])
    expect((await gateway.operate('DELETE', id)).code).toBe('resource_not_found')
  expect((await readWith(gateway, key)).status).toBe(200)
})

test('a key from before keys had ids can be revoked', async () => {
  const { api_key: key } = (await newKey()).data
  const client = new pg.Client({ connectionString: fixture.databaseUrl })
  await client.connect()
  await client.query('UPDATE merchant_api_keys SET key_id = NULL, hint = NULL WHERE hint = $1', [
    key.slice(-4),
  ])
  await client.end()
  const { api_keys: keys } = (await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)).data
  const old = keys.find(({ hint }) => hint === null)
  const path = `/merchants/${KNOWN_MERCHANT}/api-keys/${old?.key_id}`
  expect((await gateway.operate('DELETE', path)).status).toBe(200)
  expect((await readWith(gateway, key)).status).toBe(401)
})

test('a merchant has twenty live keys at most, however many are asked for at once', async () => {
  const client = new pg.Client({ connectionString: fixture.databaseUrl })
  await client.connect()
  await client.query('DELETE FROM merchant_api_keys')
  await client.end()
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

test.each(['api-keys', 'webhook-events'])('%s of a merchant that nobody knows are 404', async (list) => {
  for (const id of [newId('merchant'), newId('relationship'), 'x']) {
    const answer = await gateway.operate('GET', `/merchants/${id}/${list}`)
    expect([answer.status, answer.code]).toEqual([404, 'resource_not_found'])
  }
})

test('a partner’s credentials mint no key', async () => {
  const { token } = await newPartner(gateway)
  const path = `/api/operator/merchants/${KNOWN_MERCHANT}/api-keys`
  expect((await gateway.call('POST', path, { token })).status).toBe(401)
})
