import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { newPartner, openFixture, type Fixture } from '../fixtures/running-gateway.ts'
import { KNOWN_CUSTOMER, SLOW_CUSTOMER } from '../fixtures/script.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => {
  await fixture.close()
})

/** A connection that is kept open, and everything received on it. */
const open = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  const seen = { text: '', error: null as Error | null, closed: false }
  socket.on('data', (chunk) => (seen.text += chunk.toString('latin1')))
  socket.on('error', (error) => (seen.error = error))
  socket.on('close', () => (seen.closed = true))
  await once(socket, 'connect')
  return { seen, send: (bytes: string) => socket.write(bytes) }
}

test('answers requests in flight and late requests during a stop with Connection: close, and resets no connection', async () => {
  const gateway = await fixture.startReplica({ shutdownTimeoutMs: TEST_DEADLINE_MS })
  const { token } = await newPartner(gateway)
  const get = (id: string) =>
    `GET /api/v1/partner/customers/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const [slow, idle, late] = await Promise.all([open(gateway.port), open(gateway.port), open(gateway.port)])
  for (const { send } of [idle, late]) send(get(KNOWN_CUSTOMER))
  for (const { seen } of [idle, late]) await eventually(() => seen.text.includes('HTTP/1.1 200 OK'))
  slow.send(get(SLOW_CUSTOMER))
  await eventually(async () => (await gateway.call('GET', '/healthz')).status === 200)

  const stopped = gateway.stop()
  late.send(get(KNOWN_CUSTOMER))
  await eventually(() => late.seen.closed)
  expect(late.seen.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(late.seen.text).toContain('\r\nConnection: close\r\n')

  await eventually(() => idle.seen.closed)
  expect(slow.seen.closed).toBe(false)
  fixture.script.release()
  await eventually(() => slow.seen.closed)
  expect(slow.seen.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(slow.seen.text).toContain('\r\nConnection: close\r\n')
  expect([slow.seen.error, idle.seen.error, late.seen.error]).toEqual([null, null, null])
  await stopped
  await expect(open(gateway.port)).rejects.toThrow('ECONNREFUSED')
})

test('lets a stop wait for the first request of a connection that was just opened', async () => {
  const gateway = await fixture.startReplica({ shutdownTimeoutMs: TEST_DEADLINE_MS })
  const opened = await open(gateway.port)
  await eventually(async () => (await gateway.call('GET', '/healthz')).status === 200)
  const stopped = gateway.stop()
  // Longer than idle connections stay open.
  await sleep(1_000)
  opened.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually(() => opened.seen.closed)
  expect(opened.seen.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  await stopped
})
