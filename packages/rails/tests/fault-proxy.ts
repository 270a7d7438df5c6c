import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import type { EndpointFault } from './block-source-fixture.ts'

/** An HTTP server before another one, on loopback, that can be made to fail. */
export type FaultProxy = Readonly<{
  port: number
  fault: (mode: EndpointFault) => Promise<void>
  stop: () => Promise<void>
}>

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))

const pass = (target: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = forward(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: { ...incoming.headers, 'content-length': body.length } },
      resolve,
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/** Answers in the target's place, or lets it answer. */
const answer = async (
  mode: EndpointFault,
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await buffer(incoming)
  if (mode === 'timeout') return
  if (mode === 'reset') return void response.destroy()
  if (mode === 'error') return void response.writeHead(503).end('busy')
  if (mode === 'refuse') return void response.writeHead(403).end()
  if (mode === 'throttle') return void response.writeHead(429, { 'retry-after': '0' }).end()
  if (mode === 'page') return void response.end('<html>Welcome</html>')
  const passed = await pass(target, incoming, body)
  const whole = await buffer(passed)
  response.writeHead(passed.statusCode ?? 500, {
    'content-type': 'application/json',
    'content-length': whole.length,
  })
  if (mode !== 'cut') return void response.end(whole)
  response.write(whole.subarray(0, whole.length / 2), () => response.destroy())
}

/** @param target base address that requests go to */
export const startFaultProxy = async (target: string): Promise<FaultProxy> => {
  let mode: EndpointFault = 'ok'
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (incoming, response) => {
    answer(mode, target, incoming, response).catch(() => response.destroy())
  })
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    fault: async (next) => {
      const wasClosed = mode === 'unreachable'
      mode = next
      if (next === 'unreachable' && !wasClosed) {
        await close(server)
        // Clients in this process see the end of their connections in the next turns of the event loop.
        await nextTurn()
        await nextTurn()
      }
      if (next !== 'unreachable' && wasClosed) await listen(server, port)
    },
    stop: () => close(server),
  }
}
