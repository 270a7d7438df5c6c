import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { KNOWN_MERCHANT } from './responders.ts'
import { newPartner, openStage, type Replica, type Stage } from './running-gateway.ts'

let stage: Stage
let gateway: Replica
let other: Replica

beforeAll(async () => {
  stage = await openStage()
  gateway = await stage.startReplica()
  other = await stage.startReplica()
})
afterAll(() => stage.close())

const newKey = () => gateway.operate('POST', `/merchants/${KNOWN_MERCHANT}/api-keys`)
const readWith = (replica: Replica, key: string) =>
  replica.call('GET', '/api/user/webhooks', { headers: { 'x-api-key': key } })

test('a new key opens the merchant API on every replica at once, as its merchant', async () => {
  const made = await newKey()
  expect([made.status, made.data]).toEqual([201, { api_key: expect.stringMatching(/^mk_[\w-]{43}$/) }])
  for (const replica of [other, gateway, gateway]) {
    const answer = await readWith(replica, made.data.api_key)
    expect([answer.status, answer.data]).toEqual([200, { webhooks: [] }])
    expect(stage.script.asked.at(-1)?.caller).toEqual({ kind: 'merchant', merchantId: KNOWN_MERCHANT })
  }
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
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const keys = await client.query('SELECT merchant_api_keys::text FROM merchant_api_keys')
  const audit = await client.query('SELECT * FROM audit_entries WHERE request_id = $1', [
    made.json.request_id,
  ])
  await client.end()
  expect(JSON.stringify(keys.rows)).not.toContain(made.data.api_key)
  expect(JSON.stringify(audit.rows)).not.toContain(made.data.api_key)
  expect(audit.rows[0]).toMatchObject({
    action: 'gateway.apiKeys.create',
    target: KNOWN_MERCHANT,
    after: { customer_id: KNOWN_MERCHANT },
  })
})

test('a key that was taken out of the table ends within half a minute on replicas that know it', async () => {
  const key = (await newKey()).data.api_key
  expect((await readWith(gateway, key)).status).toBe(200)
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  await client.query('DELETE FROM merchant_api_keys')
  await client.end()
  expect((await readWith(gateway, key)).status).toBe(200)
  stage.clock.advance(30_000)
  expect((await readWith(gateway, key)).status).toBe(401)
})

test('a partner’s credentials mint no key', async () => {
  const { token } = await newPartner(gateway)
  const path = `/api/operator/merchants/${KNOWN_MERCHANT}/api-keys`
  expect((await gateway.call('POST', path, { token })).status).toBe(401)
})
