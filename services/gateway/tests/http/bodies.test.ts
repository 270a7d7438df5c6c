import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newPartner, openFixture, type Replica, type Fixture } from '../fixtures/running-gateway.ts'
import { KNOWN_ORDER } from '../fixtures/script.ts'

let fixture: Fixture
let gateway: Replica
let token: string

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  token = (await newPartner(gateway)).token
})
afterAll(async () => {
  await fixture.close()
})

const CUSTOMERS = '/api/v1/partner/customers'
const create = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.call('POST', CUSTOMERS, { token, raw, headers: { 'content-type': 'application/json', ...headers } })

describe('bodies', () => {
  const fields = '"external_customer_id":"x","email":"a@example.com"'
  test.each([
    ['broken JSON', '{', { field: 'body', reason: 'invalid_json' }],
    ['a duplicate key', `{${fields},"email":"b@example.com"}`, { field: 'email', reason: 'invalid_json' }],
    ['__proto__', `{${fields},"__proto__":{}}`, { field: '__proto__', reason: 'unknown_field' }],
    ['constructor', `{${fields},"constructor":{}}`, { field: 'constructor', reason: 'unknown_field' }],
    [
      '33 levels',
      `{${fields},"a":${'['.repeat(32)}${']'.repeat(32)}}`,
      { field: 'body', reason: 'invalid_json' },
    ],
    [
      'NUL',
      '{"external_customer_id":"a\\u0000b","email":"a@example.com"}',
      {
        field: 'external_customer_id',
        reason: 'invalid_value',
        expected: 'well-formed Unicode without U+0000',
      },
    ],
    [
      'a lone surrogate',
      '{"external_customer_id":"\\ud800","email":"a@example.com"}',
      {
        field: 'external_customer_id',
        reason: 'invalid_value',
        expected: 'well-formed Unicode without U+0000',
      },
    ],
    [
      '1e400',
      `{${fields},"a":1e400}`,
      {
        field: 'a',
        reason: 'invalid_value',
        expected: 'a number that a 64-bit float holds exactly; send others as text',
      },
    ],
    [
      'a rounded integer',
      `{${fields},"a":12345678901234567890}`,
      {
        field: 'a',
        reason: 'invalid_value',
        expected: 'a number that a 64-bit float holds exactly; send others as text',
      },
    ],
    ['a byte order mark', `\ufeff{${fields}}`, { field: 'body', reason: 'invalid_json' }],
    ['an array', '[]', { field: 'body', reason: 'invalid_type', expected: 'an object' }],
    ['null', 'null', { field: 'body', reason: 'invalid_type', expected: 'an object' }],
  ])('answers 400 to %s', async (_, raw, detail) => {
    const answer = await create(raw)
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
    expect(answer.details).toEqual([detail])
  })

  test('answers 400 to bytes that are not UTF-8', async () => {
    const answer = await create(
      Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    )
    expect(answer.details).toEqual([{ field: 'body', reason: 'invalid_json' }])
  })

  test('treats an empty body as no body', async () => {
    const answer = await gateway.call('POST', CUSTOMERS, { token })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
    expect(
      (await gateway.call('POST', `/api/v1/partner/orders/${KNOWN_ORDER}/cancel`, { token })).status,
    ).toBe(409)
  })

  test.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': '' },
  ])('answers 415 to %j', async (headers) => {
    const answer = await create('{}', headers)
    expect([answer.status, answer.code]).toEqual([415, 'unsupported_media_type'])
    const expected = 'application/json in UTF-8, without a content coding'
    expect(answer.details).toEqual([{ field: 'Content-Type', reason: 'unsupported_type', expected }])
  })

  test('reads a body of exactly 256 KiB, and answers 413 to one more byte', async () => {
    const padded = (bytes: number) => `{${fields}}`.padEnd(bytes, ' ')
    expect((await create(padded(256 * 1024))).status).toBe(201)
    const answer = await create(padded(256 * 1024 + 1))
    expect([answer.status, answer.code]).toEqual([413, 'payload_too_large'])
    expect(answer.details).toEqual([{ field: 'body', reason: 'too_big', expected: 'at most 256 KiB' }])
    expect(answer.headers['connection']).toBe('close')
  })

  test('answers 400 with 20 details to 20,001 unknown fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`u${index}`, 1]))
    const raw = JSON.stringify({ ...unknown, ['k'.repeat(2_000)]: 1 })
    const answer = await create(`{${fields},${raw.slice(1)}`)
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
    expect(answer.details).toEqual([
      ...Array.from({ length: 19 }, (_, index) => ({ field: `u${index}`, reason: 'unknown_field' })),
      { reason: 'more', count: 20_001 - 19 },
    ])
    expect(Buffer.byteLength(answer.text)).toBeLessThan(4_096)
  })
})
