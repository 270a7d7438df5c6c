import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { newPartner, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { KNOWN_MERCHANT, SLOW_CUSTOMER, SLOW_EXTERNAL_ID } from '../fixtures/script.ts'

const PLACES = 10
/** A service holds half of the places, a client a third of those that are free when it asks. */
const OF_SERVICE = 5
const OF_CLIENT = 3

let fixture: Fixture
let gateway: Replica
let tokens: string[]

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica({ maxRequests: PLACES })
  const partners = [await newPartner(gateway), await newPartner(gateway), await newPartner(gateway)]
  tokens = partners.map(({ token }) => token)
})
afterEach(() => fixture.script.release())
afterAll(() => fixture.close())

const CUSTOMERS = '/api/v1/partner/customers'
const readSlow = (token = '') => gateway.call('GET', `${CUSTOMERS}/${SLOW_CUSTOMER}`, { token })
const createSlow = (token: string) =>
  gateway.call('POST', CUSTOMERS, {
    token,
    body: { external_customer_id: SLOW_EXTERNAL_ID, email: 'a@example.com' },
  })
const isHeld = (count: number) => eventually(() => fixture.script.held.length === count)

test('answers 503 with Retry-After for a service without a free place, while other services and health answer', async () => {
  const held = [tokens[0], tokens[0], tokens[1], tokens[1], tokens[2]].map(readSlow)
  await isHeld(OF_SERVICE)
  const asked = fixture.script.asked.length
  const refused = await Promise.all(Array.from({ length: 200 }, () => createSlow(tokens[2] ?? '')))
  const answers = refused.map(({ status, code, headers }) => [status, code, headers['retry-after']].join(' '))
  expect(new Set(answers)).toEqual(new Set(['503 temporarily_unavailable 1']))
  expect(fixture.script.asked.length).toBe(asked)
  expect((await gateway.operate('GET', `/merchants/${KNOWN_MERCHANT}/api-keys`)).status).toBe(200)
  expect((await gateway.call('GET', '/healthz')).status).toBe(200)
  expect((await gateway.call('GET', CUSTOMERS)).status).toBe(401)
  fixture.script.release()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const created = createSlow(tokens[2] ?? '')
  await isHeld(1)
  fixture.script.release()
  expect((await created).status).toBe(201)
})

test('answers 503 to a client beyond its part, and not to another client', async () => {
  const held = [readSlow(tokens[0]), readSlow(tokens[0]), readSlow(tokens[0])]
  await isHeld(OF_CLIENT)
  expect((await readSlow(tokens[0])).status).toBe(503)
  const other = readSlow(tokens[1])
  await isHeld(OF_CLIENT + 1)
  fixture.script.release()
  expect((await Promise.all([...held, other])).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('frees a place when the caller has hung up', async () => {
  const [token = ''] = tokens
  for (let call = 0; call < OF_CLIENT; call += 1) {
    const socket = connect({ port: gateway.port, host: '127.0.0.1' })
    socket.write(
      `GET ${CUSTOMERS}/${SLOW_CUSTOMER} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    await isHeld(1)
    socket.destroy()
    fixture.script.release()
  }
  await eventually(async () => (await gateway.call('GET', CUSTOMERS, { token })).status === 200)
})

/** So many bodies of the largest size, each but for its last byte, occupy 64 MiB. */
const BODIES = 256
const LARGE = 256 * 1024

const sendUnfinished = async (token: string): Promise<Socket> => {
  const socket = connect({ port: gateway.port, host: '127.0.0.1' })
  socket.on('error', () => {})
  const head = `POST ${CUSTOMERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${LARGE}\r\n\r\n`
  await new Promise((resolve) => socket.write(head + 'x'.repeat(LARGE - 1), resolve))
  return socket
}

test('drops bodies that arrive too slowly, the oldest first, and accepts one that arrives', async () => {
  const [token = '', other = ''] = tokens
  const first = await sendUnfinished(token)
  const answered = once(first, 'data') as Promise<[Buffer]>
  const later = await Promise.all(Array.from({ length: BODIES }, () => sendUnfinished(token)))
  const [answer] = await answered
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1\r\n/)
  const created = await gateway.call('POST', CUSTOMERS, {
    token: other,
    body: { external_customer_id: 'another', email: 'a@example.com' },
  })
  expect(created.status).toBe(201)
  for (const socket of [first, ...later]) socket.destroy()
})
