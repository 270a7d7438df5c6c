import { createClock } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Socket } from 'node:net'
import { startRawReceiver, startReceiver } from '../../tests/receiver.ts'
import type { Attempt } from './attempt.ts'
import type { Destination } from './destination.ts'
import { RequestTemplate } from './request.ts'
import { signatureOf, signingKey } from './signature.ts'
import { readTarget, type Target } from '../connect-guard/target.ts'
import { createConnect } from '../connect-guard/connect.ts'
import { dial } from '../connect-guard/dial.ts'
import { CONNECTIONS, DestinationQueue } from './destination-queue.ts'
import { createResolver } from '../connect-guard/resolver.ts'

const SECRET = 'ab'.repeat(32)
const connect = createConnect({ resolve: createResolver(), dial, allowInsecure: true })
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const destinationAt = (url: string, timeoutMs = TEST_DEADLINE_MS, secret = SECRET): Destination => {
  const target = readTarget(url) as Target
  const template = new RequestTemplate({ id: 'whk_1', key: signingKey(secret) })
  return {
    id: 'whk_1',
    channel: 'partner',
    ownerId: 'prt_1',
    integrationId: null,
    url,
    target,
    eventTypes: null,
    signing: { template, overlap: null },
    policy: { retryDelaysMs: [], timeoutMs },
    revision: 1,
  }
}

const queueTo = (destination: () => Destination) => {
  const queue = new DestinationQueue('whk_1', {
    connect,
    clock: createClock(),
    destinationOf: destination,
    activeTime: { ms: 0 },
  })
  cleanups.push(() => queue.disconnect())
  const send = (body = '{"a":1}', startBeforeMs = Number.MAX_SAFE_INTEGER) =>
    new Promise<Attempt | null>((done) => {
      queue.offer({
        eventId: 'evt_1',
        body: Buffer.from(body),
        startBeforeMs,
        started: () => undefined,
        done,
        withdrawn: false,
      })
    })
  return { queue, send }
}

const raw = async (
  answer: (socket: Socket, onConnection: number, overall: number) => void,
  timeoutMs = TEST_DEADLINE_MS,
) => {
  const receiver = await startRawReceiver(answer)
  cleanups.push(receiver.close)
  const destination = destinationAt(receiver.url, timeoutMs)
  return { ...queueTo(() => destination), receiver }
}

const http = async (...parameters: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...parameters)
  cleanups.push(receiver.close)
  return receiver
}

test('sends the exact bytes, signed with the time of the attempt', async () => {
  const receiver = await http()
  const { send } = queueTo(() => destinationAt(receiver.url))
  const body = '{"data":{"name":"Zoë"}}'
  expect(await send(body)).toMatchObject({ statusCode: 200, error: null, responseBody: 'ok' })
  const hit = receiver.hits[0]
  const timestamp = String(hit?.headers['x-timestamp'])
  expect(hit?.body).toBe(body)
  expect(hit?.headers).toMatchObject({ 'content-type': 'application/json', 'x-webhook-id': 'whk_1' })
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(5)
  expect(hit?.headers['x-signature']).toBe(signatureOf(signingKey(SECRET), timestamp, Buffer.from(body)))
})

test('uses at most 8 connections for a destination and keeps them', async () => {
  const receiver = await http((response) => setTimeout(() => response.end(), 5))
  const destination = destinationAt(receiver.url)
  const { send } = queueTo(() => destination)
  await Promise.all(Array.from({ length: 100 }, () => send()))
  expect({ hits: receiver.hits.length, connections: receiver.connections() }).toEqual({
    hits: 100,
    connections: CONNECTIONS,
  })
})

test('applies a new URL and a new secret from the next attempt on', async () => {
  const [first, second] = [await http(), await http()]
  let destination = destinationAt(first.url)
  const { send } = queueTo(() => destination)
  await send()
  destination = destinationAt(second.url, TEST_DEADLINE_MS, 'cd'.repeat(32))
  await send('{}')
  const { 'x-timestamp': at, 'x-signature': signature } = second.hits[0]?.headers ?? {}
  expect(first.hits.length).toBe(1)
  expect(signature).toBe(signatureOf(signingKey('cd'.repeat(32)), String(at), Buffer.from('{}')))
})

describe('a response with a status line', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  test('counts a 2xx whose body never ends as a success at the deadline', async () => {
    const { send } = await raw((socket) => socket.write(`${head}content-length: 100\r\n\r\npart`), 300)
    expect(await send()).toMatchObject({ statusCode: 200, error: null, responseBody: 'part' })
  })
  test('counts a 2xx whose body floods as a success and keeps 8 KiB', async () => {
    const { send } = await raw((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      const flood = () => {
        while (!socket.destroyed && socket.write(`2000\r\n${'x'.repeat(0x2000)}\r\n`));
      }
      socket.on('drain', flood)
      flood()
    })
    const attempt = await send()
    expect(attempt?.statusCode).toBe(200)
    expect(attempt?.responseBody?.length).toBe(8_192)
  })
  test('counts a 2xx whose body is cut off as a success', async () => {
    const { send } = await raw((socket) => socket.end(`${head}content-length: 100\r\n\r\npart`))
    expect(await send()).toMatchObject({ statusCode: 200, error: null, responseBody: 'part' })
  })
  test('counts a 2xx whose chunks are malformed as a success', async () => {
    const { send } = await raw((socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`))
    expect(await send()).toMatchObject({ statusCode: 200, error: null })
  })
  test('keeps a body with NUL and broken UTF-8 readable', async () => {
    const { send } = await raw((socket) =>
      socket.write(
        Buffer.concat([Buffer.from(`${head}content-length: 3\r\n\r\na`), Buffer.from([0x00, 0xff])]),
      ),
    )
    expect(await send()).toMatchObject({ statusCode: 200, responseBody: 'a\uFFFD\uFFFD' })
  })
  test('records a redirect as the response without following it', async () => {
    const elsewhere = await http()
    const receiver = await http((response) => response.writeHead(302, { location: elsewhere.url }).end())
    const { send } = queueTo(() => destinationAt(receiver.url))
    expect(await send()).toMatchObject({ statusCode: 302 })
    expect(elsewhere.hits).toEqual([])
  })
  test('ignores an interim 1xx and uses the final response after it', async () => {
    const { send } = await raw((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`),
    )
    expect(await send()).toMatchObject({ statusCode: 204 })
  })
  test('reads Retry-After', async () => {
    const receiver = await http((response) => response.writeHead(503, { 'retry-after': '90' }).end())
    const { send } = queueTo(() => destinationAt(receiver.url))
    expect(await send()).toMatchObject({ statusCode: 503, retryAfterMs: 90_000 })
  })
})

describe('a response without a status line', () => {
  test.each([
    ['silence ends at the deadline', () => undefined, 'timeout'],
    [
      'a header that trickles ends at the deadline',
      (socket: Socket) => socket.write('HTTP/1.1 2'),
      'timeout',
    ],
    [
      'a connection closed without an answer is a network fault',
      (socket: Socket) => socket.end(),
      'connection closed before an answer',
    ],
    ['a reset is a network fault', (socket: Socket) => socket.resetAndDestroy(), 'connection reset'],
    [
      'another protocol is a network fault',
      (socket: Socket) => socket.write('SSH-2.0-x\r\n'),
      'answer is not HTTP/1.1',
    ],
  ])('recognises that %s', async (_title, answer: (socket: Socket) => unknown, error) => {
    const { send } = await raw((socket) => void answer(socket), error === 'timeout' ? 300 : undefined)
    expect(await send()).toMatchObject({ statusCode: null, error })
  })

  test('reports a refused connection as a network fault', async () => {
    const receiver = await startReceiver()
    await receiver.close()
    const { send } = queueTo(() => destinationAt(receiver.url))
    expect(await send()).toMatchObject({ statusCode: null, error: 'connection refused' })
  })

  test('reports a receiver that speaks no TLS as a network fault of https', async () => {
    const receiver = await http()
    const { send } = queueTo(() => destinationAt(receiver.url.replace('http:', 'https:')))
    expect((await send())?.error).toMatch(/^TLS: /)
  })

  test('ends a stalled handshake at the deadline, and sends the next delivery', async () => {
    const { receiver } = await raw(() => undefined)
    let destination = destinationAt(receiver.url.replace('http:', 'https:'), 200)
    const { send } = queueTo(() => destination)
    expect(await send()).toMatchObject({ statusCode: null, error: 'timeout' })
    destination = destinationAt((await http()).url)
    expect(await send()).toMatchObject({ statusCode: 200 })
  })
})

describe('a kept connection', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
  test('is replaced once within the attempt when it dies before any byte of the response', async () => {
    const { send, receiver } = await raw((socket, onConnection) =>
      onConnection === 1 ? socket.write(ok) : socket.destroy(),
    )
    await send()
    expect(await send()).toMatchObject({ statusCode: 200, error: null })
    expect(receiver.requests()).toBe(3)
  })
  test('is not replaced when it dies after a first byte of the response', async () => {
    const { send, receiver } = await raw((socket, onConnection) =>
      onConnection === 1 ? socket.write(ok) : socket.end('HTTP/1.1 '),
    )
    await send()
    expect(await send()).toMatchObject({ statusCode: null })
    expect(receiver.requests()).toBe(2)
  })
  test('is not replaced when it is fresh and dies', async () => {
    const { send, receiver } = await raw((socket) => socket.destroy())
    expect(await send()).toMatchObject({ statusCode: null })
    expect(receiver.requests()).toBe(1)
  })
})

test('sends one delivery at a time after five transport failures in a row', async () => {
  let open = 0
  let most = 0
  const { send } = await raw((socket, _onConnection, overall) => {
    if (overall <= 5) {
      socket.destroy()
      return
    }
    open += 1
    most = Math.max(most, open)
    setTimeout(() => {
      open -= 1
      socket.destroy()
    }, 20)
  })
  for (let count = 0; count < 5; count += 1) await send()
  await Promise.all(Array.from({ length: 6 }, () => send()))
  expect(most).toBe(1)
})

test('returns a job without sending it when its lease is about to end', async () => {
  const receiver = await http()
  const { send } = queueTo(() => destinationAt(receiver.url))
  expect(await send('{}', Date.now() - 1)).toBe(null)
  expect(receiver.hits).toEqual([])
})
