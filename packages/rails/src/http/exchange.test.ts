import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpExchange } from './exchange.ts'

const CONNECTIONS = 3
const CALLS = 12

let server: Server
let open = 0
let mostOpen = 0
let waiting: (() => void)[] = []

beforeEach(async () => {
  // Nothing is answered before as many calls wait as may be under way: fewer, and the test would not end.
  server = createServer((_request, response) => {
    waiting.push(() => response.end('ok'))
    if (waiting.length < CONNECTIONS) return
    for (const answer of waiting) answer()
    waiting = []
  })
  server.on('connection', (socket) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    socket.on('close', () => (open -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => void server.close())

test('runs as many concurrent calls as connections are allowed, and opens no more', async () => {
  const { port } = server.address() as AddressInfo
  const http = createHttpExchange({ timeoutMs: 30_000, maxBodyBytes: 100, connections: CONNECTIONS })
  const call = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {} } as const
  const answers = await Promise.all(Array.from({ length: CALLS }, () => http.send(call)))
  expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: CALLS }, () => 'ok'))
  expect(mostOpen).toBe(CONNECTIONS)
  await http.close()
})
