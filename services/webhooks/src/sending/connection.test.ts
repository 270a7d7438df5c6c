import { afterEach, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createConnect, type Connect } from '../connect-guard/connect.ts'
import { dial } from '../connect-guard/dial.ts'
import { readTarget, type Target } from '../connect-guard/target.ts'
import type { Answer } from './answer.ts'
import { Connection } from './connection.ts'
import { RequestTemplate } from './request.ts'
import { signatureOf, signingKey } from './signature.ts'

const key = signingKey('ab'.repeat(32))
const connect = createConnect({ resolve: async (host) => [host], dial, allowInsecure: true })
/** Keeps the connection for as long as any test takes. */
const OK = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\n'
const NEVER_MET_MS = 600_000
const AT_MS = 1_700_000_000_000

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A receiver that keeps what comes, by connection. */
const listen = async (onData: (socket: Socket, onConnection: number, chunk: Buffer) => void) => {
  const connections: { text: string; isEnded: boolean }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const seen = { text: '', isEnded: false }
    connections.push(seen)
    sockets.add(socket)
    let count = 0
    socket.on('error', () => undefined)
    socket.on('close', () => (seen.isEnded = true))
    socket.on('data', (chunk) => {
      seen.text += chunk.toString('latin1')
      count += 1
      onData(socket, count, chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { connections, target: readTarget(`http://127.0.0.1:${port}/hook?a=b`) as Target }
}

const connectTo = (target: Target, by: Connect = connect) => {
  const connection = new Connection(target, by)
  cleanups.push(() => connection.close())
  const template = new RequestTemplate({ id: 'whk_1', key })
  return (body = '{}', timeoutMs = NEVER_MET_MS) =>
    new Promise<Answer>((done) => {
      connection.send({ template, eventId: 'evt_1', body: Buffer.from(body), atMs: AT_MS, timeoutMs }, done)
    })
}
const seen = ({ statusCode, body }: Answer) => [statusCode, body.toString()]

test('writes a request with exactly these bytes', async () => {
  const { connections, target } = await listen((socket) => socket.write(`${OK}ok`))
  await connectTo(target)('{"a":"é"}')
  const body = Buffer.from('{"a":"é"}')
  expect(connections[0]?.text).toBe(
    [
      'POST /hook?a=b HTTP/1.1',
      `host: 127.0.0.1:${target.port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'user-agent: Causeway-Webhooks/1',
      'x-webhook-id: whk_1',
      'x-timestamp: 1700000000',
      `x-signature: ${signatureOf(key, '1700000000', body)}`,
      'x-webhook-event-id: evt_1',
      'content-length: 10',
      '',
      body.toString('latin1'),
    ].join('\r\n'),
  )
})

test('does not assign an unexpected response to a later request', async () => {
  const { connections, target } = await listen((socket, onConnection) => {
    if (onConnection > 1) return
    socket.write(`${OK}ok`)
    setTimeout(() => socket.write(`${OK}no`), 50)
  })
  const send = connectTo(target)
  expect(seen(await send())).toEqual([200, 'ok'])
  await eventually(() => connections[0]?.isEnded)
  expect([seen(await send()), connections.length]).toEqual([[200, 'ok'], 2])
})

test('ignores an empty line behind a response and keeps the connection', async () => {
  const { connections, target } = await listen((socket) => {
    socket.write(`${OK}ok`)
    setTimeout(() => socket.write('\r\n'), 50)
  })
  const send = connectTo(target)
  for (let made = 0; made < 3; made += 1) {
    expect(seen(await send())).toEqual([200, 'ok'])
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(connections.length).toBe(1)
})

test('opens a new connection when an idle one has ended, and sends no request twice', async () => {
  const { connections, target } = await listen((socket) =>
    socket.write(`${OK}ok`, () => setTimeout(() => socket.end(), 50)),
  )
  const send = connectTo(target)
  await send()
  await eventually(() => connections[0]?.isEnded)
  expect([seen(await send()), connections.map(({ text }) => text.split('POST').length - 1)]).toEqual([
    [200, 'ok'],
    [1, 1],
  ])
})

test('closes an idle connection 2 s before its receiver would close it', async () => {
  const { connections, target } = await listen((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nkeep-alive: timeout=3\r\ncontent-length: 2\r\n\r\nok`),
  )
  const send = connectTo(target)
  await send()
  await send()
  const fromMs = performance.now()
  await eventually(() => connections[0]?.isEnded)
  expect(performance.now() - fromMs).toBeGreaterThan(950)
  expect(connections.length).toBe(1)
})

test('announces the close in the 10,000th request of a connection', async () => {
  const { connections, target } = await listen((socket) => socket.write(`${OK}ok`))
  const send = connectTo(target)
  for (let made = 0; made < 10_001; made += 1) await send()
  const requests = connections.map(({ text }) => text.split('connection: keep-alive').length - 1)
  expect(requests).toEqual([9_999, 1])
  expect(connections[0]?.text.split('connection: close').length).toBe(2)
})

test('accepts a response that arrives before the request was fully sent, and closes the connection', async () => {
  const { connections, target } = await listen((socket, onConnection) => {
    if (onConnection > 1) return
    socket.pause()
    socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno')
  })
  const send = connectTo(target)
  const large = 'x'.repeat(20_000_000)
  expect([seen(await send(large)), seen(await send(large)), connections.length]).toEqual([
    [413, 'no'],
    [413, 'no'],
    2,
  ])
})

test('aborts the connect at the deadline and closes a socket that opens too late', async () => {
  const { connections, target } = await listen((socket) => socket.write(`${OK}ok`))
  const reasons: unknown[] = []
  let late: (() => void) | null = null
  let calls = 0
  const send = connectTo(target, (to, signal) => {
    calls += 1
    if (calls > 1) return connect(to, signal)
    signal.addEventListener('abort', () => reasons.push(signal.reason))
    return new Promise((resolve) => {
      late = () => void connect(to, new AbortController().signal).then(resolve)
    })
  })
  const { statusCode, failure } = await send('{}', 100)
  expect([statusCode, (failure as Error).name, reasons.length]).toEqual([null, 'DeadlineError', 1])
  expect(seen(await send())).toEqual([200, 'ok'])
  ;(late as unknown as () => void)()
  await eventually(() => connections.length === 2 && connections[1]?.isEnded)
  expect([seen(await send()), connections.map(({ text }) => text.split('POST').length - 1)]).toEqual([
    [200, 'ok'],
    [2, 0],
  ])
})

test('ends an exchange in flight when the connection is closed', async () => {
  const { target } = await listen(() => undefined)
  const connection = new Connection(target, connect)
  const template = new RequestTemplate({ id: 'whk_1', key })
  const answer = new Promise<Answer>((done) => {
    const outgoing = {
      template,
      eventId: 'evt_1',
      body: Buffer.from('{}'),
      atMs: AT_MS,
      timeoutMs: NEVER_MET_MS,
    }
    connection.send(outgoing, done)
  })
  connection.close()
  expect([(await answer).statusCode, ((await answer).failure as Error).name]).toEqual([null, 'ClosedError'])
})
