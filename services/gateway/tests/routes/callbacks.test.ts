import { createLogger, implement, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { cardNotices, chargebacks, onrampNotices } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openFixture, OPERATOR_KEY, type Replica, type Fixture } from '../fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
let received: { processor: string; headers: Record<string, string>; bytes: Buffer }[] = []
let imported: string[] = []

beforeAll(async () => {
  fixture = await openFixture()
  const { importFile } = chargebacks
  const handlers = [
    ...implement(cardNotices, {
      receive: async ({ params: { processor }, body }) => {
        const bytes = Buffer.from(body.raw_body_base64, 'base64')
        received.push({ processor, headers: body.headers, bytes })
        return processor === 'forged' ? refuse('unauthorized') : reply({ received: true as const })
      },
      authorize: async () => reply({ allowed: false }),
    }),
    ...implement(
      { importFile },
      {
        importFile: async ({ body }) => {
          imported.push(body.csv)
          return reply({ imported: 1, duplicates: 0, rejected: [{ line: 3, reason: 'unknown_order' }] })
        },
      },
    ),
  ]
  const log = createLogger({ service: 'test', level: 'silent' })
  const options = { clock: fixture.clock, log, checkReplies: true }
  serve(fixture.bus, handlers, { ...options, keys: testReceiverKeys(), service: 'payments' })
  const onramp = implement(onrampNotices, {
    receive: async ({ params: { provider }, body }) => {
      const bytes = Buffer.from(body.raw_body_base64, 'base64')
      received.push({ processor: provider, headers: body.headers, bytes })
      return reply({ received: true as const })
    },
  })
  serve(fixture.bus, onramp, { ...options, keys: testReceiverKeys(), service: 'onramp' })
  await fixture.bus.connection.flush()
  gateway = await fixture.startReplica({ limits: { ratePerSecond: 0.1, burst: 2 } })
})
afterAll(() => fixture.close())
beforeEach(() => {
  received = []
  imported = []
})

const NOTICES = '/api/callbacks/cards'
const importCsv = (raw: string | Buffer, type = 'text/csv') =>
  gateway.call('POST', '/api/operator/chargebacks/import', {
    token: OPERATOR_KEY,
    headers: { 'content-type': type },
    raw,
  })

test("relays a processor's notices of any content type and number to payments byte for byte with their headers", async () => {
  const raw = Buffer.from([0x7b, 0x00, 0xff, 0x0a])
  const headers = { 'content-type': 'application/strange', 'sandbox-signature': 't=1,v1=x' }
  for (let n = 0; n < 5; n += 1) {
    const answer = await gateway.call('POST', `${NOTICES}/processor`, { headers, raw })
    expect([answer.status, answer.json.data]).toEqual([200, { received: true }])
  }
  expect(received).toHaveLength(5)
  expect(received[4]).toMatchObject({ processor: 'processor', headers, bytes: raw })
})

test('answers 401 to an unverified notice, and answers an authorisation request in the envelope', async () => {
  const forged = await gateway.call('POST', `${NOTICES}/forged`, { raw: '{}' })
  expect([forged.status, forged.code]).toEqual([401, 'unauthorized'])
  const asked = await gateway.call('POST', `${NOTICES}/processor/authorizations`, { raw: '{}' })
  expect([asked.status, asked.json.data]).toEqual([200, { allowed: false }])
  expect(asked.json.request_id).toMatch(/^req_/)
})

test("relays an onramp provider's notice byte for byte, its Authorization unchanged", async () => {
  const raw = Buffer.from('{"order_id" : "3b7f"}\n')
  const headers = { authorization: 'Bearer KEY:00ff:1772366400500' }
  const answer = await gateway.call('POST', '/api/callbacks/onramp/banxa', { headers, raw })
  expect([answer.status, answer.json.data]).toEqual([200, { received: true }])
  expect(received).toMatchObject([{ processor: 'banxa', headers, bytes: raw }])
})

test('accepts a notice of 256 KiB, and answers 413 to a larger one', async () => {
  const accepted = await gateway.call('POST', `${NOTICES}/processor`, { raw: Buffer.alloc(262_144, 1) })
  expect(accepted.status).toBe(200)
  expect(received[0]?.bytes.length).toBe(262_144)
  const refused = await gateway.call('POST', `${NOTICES}/processor`, { raw: Buffer.alloc(262_145, 1) })
  expect([refused.status, refused.code]).toEqual([413, 'payload_too_large'])
  expect(received).toHaveLength(1)
})

test('accepts a periodic file only from staff, as text/csv in UTF-8', async () => {
  const answer = await importCsv('a,b\n"ü",2\n', 'text/csv; charset=utf-8')
  expect([answer.status, answer.json.data]).toEqual([
    200,
    { imported: 1, duplicates: 0, rejected: [{ line: 3, reason: 'unknown_order' }] },
  ])
  expect(imported).toEqual(['a,b\n"ü",2\n'])
  expect((await importCsv('{}', 'application/json')).status).toBe(415)
  expect((await importCsv(Buffer.from([0xff, 0xfe]))).status).toBe(400)
  // 256 KiB of them would be 1.5 MiB as JSON.
  const controls = await importCsv('\u0001'.repeat(256 * 1024))
  const expected = 'UTF-8 without control characters other than tabs and line ends'
  expect([controls.status, controls.details]).toEqual([
    400,
    [{ field: 'csv', reason: 'invalid_value', expected }],
  ])
  const nobody = await gateway.call('POST', '/api/operator/chargebacks/import', { raw: 'a' })
  expect(nobody.status).toBe(401)
  expect(imported).toHaveLength(1)
})
