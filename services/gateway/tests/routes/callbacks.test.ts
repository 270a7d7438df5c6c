import { createLogger, implement, openBlob, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { bankStatements, cardNotices, chargebacks, importFiles, onrampNotices } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openFixture, OPERATOR_KEY, type Replica, type Fixture } from '../fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
let received: { processor: string; headers: Record<string, string>; bytes: Buffer }[] = []
let imported: string[] = []
let parts: { key: string; part: number; sealed: Buffer }[] = []

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
  const statements = implement(bankStatements, {
    importFile: async ({ body }) => {
      imported.push(JSON.stringify(body))
      return reply({ imported: 1, duplicates: 0, rejected: [] })
    },
  })
  const files = implement(importFiles, {
    async addPart({ body }) {
      const sealed = Buffer.from(body.content_base64, 'base64')
      parts.push({ key: body.blob_key, part: body.part, sealed })
      return reply({})
    },
  })
  const log = createLogger({ service: 'test', level: 'silent' })
  const options = { clock: fixture.clock, log, checkReplies: true }
  serve(fixture.bus, handlers, { ...options, keys: testReceiverKeys(), service: 'payments' })
  serve(fixture.bus, [...statements, ...files], { ...options, keys: testReceiverKeys(), service: 'ledger' })
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
  parts = []
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

const importStatement = (raw: string | Buffer, type: string) =>
  gateway.call('POST', '/api/operator/bank-statements/import', {
    token: OPERATOR_KEY,
    headers: { 'content-type': type },
    raw,
  })

test.each([
  ['application/xml', 'xml'],
  ['text/xml; charset=UTF-8', 'xml'],
  ['text/csv', 'csv'],
])('relays a bank statement of the type %s as the field %s', async (type, field) => {
  expect((await importStatement('<a b="ü"/>', type)).status).toBe(200)
  expect(imported).toEqual([JSON.stringify({ [field]: '<a b="ü"/>' })])
})

test('refuses a bank statement of another type or coding, and XML where only CSV is read', async () => {
  const json = await importStatement('{}', 'application/json')
  const expected = 'text/csv or application/xml in UTF-8, without a content coding'
  expect([json.status, json.details]).toEqual([
    415,
    [{ field: 'Content-Type', reason: 'unsupported_type', expected }],
  ])
  expect((await importStatement('<a/>', 'application/xml; charset=iso-8859-1')).status).toBe(415)
  const latin = await importStatement(Buffer.from('<a b="ü"/>', 'latin1'), 'application/xml')
  expect([latin.status, latin.details]).toMatchObject([400, [{ field: 'xml', reason: 'invalid_value' }]])
  expect((await importCsv('<a/>', 'application/xml')).status).toBe(415)
  expect(imported).toEqual([])
})

/** Posts a body whose length is not announced. */
const postInPieces = async (size: number): Promise<Response> => {
  const piece = Buffer.alloc(65_536, 'ä')
  let left = size
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(piece.subarray(0, left))
      left -= Math.min(left, piece.length)
      if (left === 0) controller.close()
    },
  })
  const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'text/csv' }
  const url = `http://127.0.0.1:${gateway.port}/api/operator/bank-statements/import`
  return fetch(url, { method: 'POST', headers, body, duplex: 'half' })
}

test.each([
  ['256 KiB and a byte', 256 * 1024 + 1],
  ['16 MiB', 16 * 1024 * 1024],
])(
  'has the ledger store a bank statement of %s in encrypted parts, and passes their key',
  async (_, size) => {
    const statement = Buffer.alloc(size, 'line,')
    expect((await importStatement(statement, 'text/csv')).status).toBe(200)
    const { file } = JSON.parse(imported[0] ?? '') as { file: { blob_key: string; blob_secret: string } }
    expect(file).toMatchObject({ type: 'csv', blob_key: parts[0]?.key })
    expect(parts.map(({ key, part }) => [key, part])).toEqual(parts.map((_part, at) => [file.blob_key, at]))
    const sealed = async function* () {
      yield* parts.map((part) => part.sealed)
    }
    const read: Buffer[] = []
    for await (const bytes of openBlob(sealed(), file.blob_secret)) read.push(bytes)
    expect(Buffer.concat(read).equals(statement)).toBe(true)
    expect(Buffer.concat(parts.map((part) => part.sealed)).includes('line,line,')).toBe(false)
  },
)

test('answers 413 with the limit to a statement of 16 MiB and a byte, also when its length is not announced', async () => {
  const size = 16 * 1024 * 1024 + 1
  const refused = await importStatement(Buffer.alloc(size, 'a'), 'text/csv')
  const details = [{ field: 'body', reason: 'too_big', expected: 'at most 16 MiB in a file' }]
  expect([refused.status, refused.code, refused.details]).toEqual([413, 'payload_too_large', details])
  expect(parts).toEqual([])
  const late = await postInPieces(size)
  expect([late.status, await late.json()]).toMatchObject([
    413,
    { error: { code: 'payload_too_large', details } },
  ])
  expect(imported).toEqual([])
})

test('stores a small statement whose length is not announced', async () => {
  expect((await postInPieces(10)).status).toBe(200)
  expect(JSON.parse(imported[0] ?? '')).toMatchObject({ file: { type: 'csv' } })
})
