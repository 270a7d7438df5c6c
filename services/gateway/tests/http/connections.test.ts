import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { newPartner, openFixture, type Replica, type Fixture } from '../fixtures/running-gateway.ts'
import { SLOW_CUSTOMER } from '../fixtures/script.ts'

const PER_ADDRESS = 3
const TOTAL = 5

let fixture: Fixture
let gateway: Replica
let token: string
const sockets: Socket[] = []

beforeAll(async () => {
  fixture = await openFixture()
  const unbounded = await fixture.startReplica()
  token = (await newPartner(unbounded)).token
  gateway = await fixture.startReplica({
    connections: { perAddress: PER_ADDRESS, total: TOTAL },
  })
})
afterEach(async () => {
  fixture.script.release()
  const open = sockets.splice(0).filter((socket) => !socket.closed)
  await Promise.all(
    open.map((socket) => {
      socket.destroy()
      return once(socket, 'close')
    }),
  )
})
afterAll(() => fixture.close())

/** A connection on which one request was answered, and which is idle now. */
const openIdle = async (localAddress: string) => {
  const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  expect(await ask(socket)).toBe('HTTP/1.1 200')
  return socket
}
const ask = async (socket: Socket, path = '/healthz') => {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  const [head] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
  return head instanceof Buffer ? head.toString().slice(0, 12) : 'closed'
}
const openMany = async (count: number, localAddress: string) => {
  const opened: Socket[] = []
  while (opened.length < count) opened.push(await openIdle(localAddress))
  return opened
}
const areClosed = (opened: readonly Socket[]) => opened.map((socket) => socket.closed)

test('closes the longest idle connection of an address that opens one too many', async () => {
  const [first, second, third] = (await openMany(PER_ADDRESS, '127.0.0.2')) as [Socket, Socket, Socket]
  const [other] = (await openMany(1, '127.0.0.3')) as [Socket]
  expect(await ask(first)).toBe('HTTP/1.1 200')
  const fourth = await openIdle('127.0.0.2')
  await eventually(() => second.closed)
  expect(areClosed([first, third, fourth, other])).toEqual([false, false, false, false])
})

test('closes the longest idle connection when there is one too many in all', async () => {
  const [first, second] = (await openMany(2, '127.0.0.2')) as [Socket, Socket]
  const others = [...(await openMany(2, '127.0.0.3')), ...(await openMany(1, '127.0.0.4'))]
  expect(await ask(first)).toBe('HTTP/1.1 200')
  await openIdle('127.0.0.5')
  await eventually(() => second.closed)
  expect(areClosed([first, ...others])).toEqual([false, false, false, false])
})

test('closes a new connection when every other one of its address waits for an answer', async () => {
  const busy = await openMany(PER_ADDRESS, '127.0.0.2')
  const answers = busy.map((socket) => ask(socket, `/api/v1/partner/customers/${SLOW_CUSTOMER}`))
  await eventually(() => fixture.script.held.length === PER_ADDRESS)
  const refused = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  refused.on('error', () => {})
  await once(refused, 'close')
  expect(areClosed(busy)).toEqual([false, false, false])
  fixture.script.release()
  expect(await Promise.all(answers)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200'])
  await openIdle('127.0.0.2')
})
