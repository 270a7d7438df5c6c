import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { request } from 'undici'
import { MIN_COMPRESSED_BYTES } from '../../src/http/compressed.ts'
import { KNOWN_CUSTOMER, LONG_PAGE } from '../fixtures/script.ts'
import { newPartner, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'

const LIST = `/api/v1/partner/customers?limit=${LONG_PAGE}`

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

const read = async (path: string, accepted?: string) => {
  const headers = { authorization: `Bearer ${token}`, ...(accepted && { 'accept-encoding': accepted }) }
  const { headers: answered, body } = await request(`${gateway.origin}${path}`, { headers })
  return { headers: answered, bytes: Buffer.from(await body.arrayBuffer()) }
}

test('compresses a page of a list by gzip for a caller that accepts it', async () => {
  const { headers, bytes } = await read(LIST, 'gzip, deflate, br')
  const json = gunzipSync(bytes).toString()
  expect(headers['content-encoding']).toBe('gzip')
  expect(headers['vary']).toBe('Accept-Encoding')
  expect(Number(headers['content-length'])).toBe(bytes.length)
  expect(json.length).toBeGreaterThan(MIN_COMPRESSED_BYTES)
  expect(bytes.length).toBeLessThan(json.length / 2)
  const { data, request_id: requestId } = JSON.parse(json) as {
    request_id: string
    data: { customers: { customer: { email: string } }[] }
  }
  expect(requestId).toBe(headers['x-request-id'])
  expect(data.customers.map(({ customer }) => customer.email)).toEqual(
    Array.from({ length: LONG_PAGE }, () => 'ünïcode@exämple.com'),
  )
})

test.each([[undefined], ['identity'], ['br'], ['gzip;q=0']])(
  'sends the same page uncompressed to a caller that accepts %s',
  async (accepted) => {
    const { headers, bytes } = await read(LIST, accepted)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['vary']).toBe('Accept-Encoding')
    expect(JSON.parse(bytes.toString())).toHaveProperty(['data', 'customers', String(LONG_PAGE - 1)])
  },
)

test('sends a single resource uncompressed', async () => {
  const { headers, bytes } = await read(`/api/v1/partner/customers/${KNOWN_CUSTOMER}`, 'gzip')
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers['vary']).toBeUndefined()
  expect(bytes.length).toBeLessThan(MIN_COMPRESSED_BYTES)
})
