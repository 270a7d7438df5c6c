import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import {
  newPartner,
  openFixture,
  type Answer,
  type Replica,
  type Fixture,
} from '../fixtures/running-gateway.ts'
import { SLOW_CUSTOMER, SLOW_EXTERNAL_ID } from '../fixtures/script.ts'

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

/** Sends raw bytes. @returns everything that was received until the server closed the connection */
const exchange = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(got))
    socket.on('error', reject)
  })
const HEAD = 'Host: x\r\nConnection: close\r\n'
const statusLine = (answer: string) => answer.slice(0, answer.indexOf('\r\n'))

describe('bytes that are not HTTP', () => {
  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      'HTTP/1.1 400 Bad Request',
    ],
    [
      'length and chunks',
      `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'HTTP/1.1 400 Bad Request',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`,
      'HTTP/1.1 431 Request Header Fields Too Large',
    ],
  ])('answers %s with the envelope and closes the connection', async (_, bytes, status) => {
    const answer = await exchange(bytes)
    expect(statusLine(answer)).toBe(status)
    expect(answer).toContain('"code":"invalid_request"')
    expect(answer).toMatch(/\r\nX-Request-Id: req_/)
    expect(answer).toMatch(/\r\nRateLimit-Limit: 100000\r\n/)
  })
})

const VERSION = { field: 'http-version', reason: 'invalid_value', allowed: ['1.0', '1.1'] }
const TARGET = {
  field: 'request-target',
  reason: 'invalid_value',
  expected: 'a path, *, or an http or https address',
}

describe('a message that node:http accepts and that is not a valid request', () => {
  test.each([
    ['HTTP/1.1 without a Host', 'GET /healthz HTTP/1.1\r\n\r\n', { field: 'host', reason: 'required' }],
    [
      'two Hosts',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: x\r\n\r\n',
      { field: 'host', reason: 'too_many' },
    ],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n', VERSION],
    ['HTTP/0.9 by name', 'GET /healthz HTTP/0.9\r\nHost: x\r\n\r\n', VERSION],
    ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n', VERSION],
    ['a port over 65535', `GET http://a:99999/ HTTP/1.1\r\n${HEAD}\r\n`, TARGET],
    ['half an address', `GET http://[ HTTP/1.1\r\n${HEAD}\r\n`, TARGET],
    ['another scheme', `GET ftp://x/ HTTP/1.1\r\n${HEAD}\r\n`, TARGET],
  ])('answers 400 to %s with the envelope, and closes the connection', async (_, bytes, detail) => {
    const answer = await exchange(bytes)
    expect(statusLine(answer)).toBe('HTTP/1.1 400 Bad Request')
    expect(answer).toContain('Content-Type: application/json')
    const { error } = JSON.parse(answer.slice(answer.indexOf('{'))) as {
      error: { code: string; details: unknown }
    }
    expect([error.code, error.details]).toEqual(['invalid_request', [detail]])
  })

  test('requires no Host in HTTP/1.0', async () => {
    expect(statusLine(await exchange('GET /healthz HTTP/1.0\r\n\r\n'))).toBe('HTTP/1.1 200 OK')
  })
})

describe('the router of request targets', () => {
  test.each([
    '/%',
    '/%E0%A4%A',
    '/api/v1/%70artner/customers',
    '//',
    '/\\..\\',
    '/api/v1/../v1/partner/customers',
  ])('answers 404 to %s', async (target) => {
    expect(statusLine(await exchange(`GET ${target} HTTP/1.1\r\n${HEAD}\r\n`))).toBe('HTTP/1.1 404 Not Found')
  })

  test('routes a target in absolute form by the path of its URL', async () => {
    const answer = await exchange(`GET http://example.com/healthz?x HTTP/1.1\r\n${HEAD}\r\n`)
    expect(statusLine(answer)).toBe('HTTP/1.1 200 OK')
    expect(statusLine(await exchange(`OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`))).toBe('HTTP/1.1 404 Not Found')
  })
})

describe('the reader of bodies', () => {
  const post = (rest: string) =>
    `POST /api/v1/partner/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${rest}`

  test('answers 413 to a chunked body over 256 KiB, so that a caller that continues to send can read the answer', async () => {
    const socket = connect(gateway.port, '127.0.0.1')
    const seen = { text: '', error: null as Error | null }
    socket.on('data', (chunk) => (seen.text += chunk.toString('latin1')))
    socket.on('error', (error) => (seen.error = error))
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    socket.write(post(`Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`))
    await eventually(() => seen.text.endsWith('}'))
    for (let more = 0; more < 20; more += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      socket.write(chunk)
    }
    socket.end('0\r\n\r\n')
    await once(socket, 'close')
    expect(statusLine(seen.text)).toBe('HTTP/1.1 413 Payload Too Large')
    expect(seen.text).toContain('"code":"payload_too_large"')
    expect(seen.error).toBeNull()
  })

  test('answers 413 to a Content-Length over 256 KiB without 100 Continue', async () => {
    const answer = await exchange(post('Content-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n'))
    expect(statusLine(answer)).toBe('HTTP/1.1 413 Payload Too Large')
  })

  test('answers Expect: 100-continue once all checks before the body have passed', async () => {
    const body = '{"external_customer_id":"x","email":"a@example.com"}'
    const answer = await exchange(
      post(`Connection: close\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${body}`),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
    const refused = await exchange(
      `POST /api/v1/partner/customers HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n`,
    )
    expect(statusLine(refused)).toBe('HTTP/1.1 401 Unauthorized')
  })

  test('serves other callers after one hangs up in the middle of its body', async () => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(post('Content-Length: 100\r\n\r\n{"a":'), () => socket.destroy())
    expect((await gateway.call('GET', '/healthz')).status).toBe(200)
  })
})

describe('a service that does not answer in time', () => {
  const DEADLINE_MS = 400
  /** Shorter than every other timeout of the request. */
  const LATEST_MS = 20_000
  let impatient: Replica
  beforeAll(async () => {
    impatient = await fixture.startReplica({ busTimeoutMs: DEADLINE_MS })
  })
  const timed = async (asked: Promise<Answer>) => {
    const startedMs = performance.now()
    const answer = await asked
    const tookMs = performance.now() - startedMs
    fixture.script.release()
    expect(tookMs).toBeGreaterThan(DEADLINE_MS - 50)
    expect(tookMs).toBeLessThan(LATEST_MS)
    return [answer.status, answer.code]
  }

  test('causes 503 at the deadline of a read', async () => {
    const path = `/api/v1/partner/customers/${SLOW_CUSTOMER}`
    expect(await timed(impatient.call('GET', path, { token }))).toEqual([503, 'temporarily_unavailable'])
  })

  test('causes 500 at the deadline of an effect, whose outcome is unknown', async () => {
    const body = { external_customer_id: SLOW_EXTERNAL_ID, email: 'a@example.com' }
    const asked = impatient.call('POST', '/api/v1/partner/customers', { token, body })
    expect(await timed(asked)).toEqual([500, 'internal_error'])
  })
})
