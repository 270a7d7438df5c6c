import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { createBadRequestAnswer } from './bad-request.ts'
import { boundConnections, type ConnectionBounds } from './connections.ts'

/** Longer than load balancers and clients keep idle connections, so that they close first and get no reset. */
const KEEP_ALIVE_MS = 65_000
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** How long a stop keeps idle connections open, so that a request that is already on its way is answered. */
const IDLE_DRAIN_MS = 500
/** How long a stop waits for the first byte on a connection: its client opened it to send a request. */
const FIRST_BYTE_MS = 5_000
const POLL_MS = 20

/** A listening server whose stop interrupts no request. */
export type HttpServer = Readonly<{ port: number; stop: () => Promise<void> }>

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`GATEWAY_PORT ${port} is taken`) : error),
    )
    server.listen(port, host, resolve)
  })

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count))
  })

/** Tracks open connections. @returns whether one of them has not received a byte */
const watchUnused = (server: Server): (() => boolean) => {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => [...open].some(({ bytesRead }) => bytesRead === 0)
}

const until = async (isDone: () => Promise<boolean> | boolean, endsAtMs: number): Promise<void> => {
  while (!(await isDone()) && performance.now() < endsAtMs) await sleep(POLL_MS)
}

export type HttpServerOptions = Readonly<{
  host: string
  port: number
  handle: RequestListener
  answerBadRequest: ReturnType<typeof createBadRequestAnswer>
  /** Number of requests that wait for their answer. */
  inFlight: () => number
  /** Called first at a stop: from then on every answer says `Connection: close`. */
  close: () => void
  shutdownTimeoutMs: number
  /** Factor by which the timeouts of arriving requests are longer; 1 if left out. */
  timeoutFactor?: number
  connections: ConnectionBounds
}>

/** Serves HTTP/1.1. @throws when the port is taken, naming the setting */
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { timeoutFactor = 1 } = options
  // `faultOf` checks that there is one Host, and answers with the API's error.
  const server = createServer({ keepAlive: true, noDelay: true, requireHostHeader: false })
  const onRequest = boundConnections(server, options.connections)
  const handle: RequestListener = (request, response) => {
    onRequest(request.socket, response)
    options.handle(request, response)
  }
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS * timeoutFactor
  server.requestTimeout = REQUEST_TIMEOUT_MS * timeoutFactor
  const hasUnused = watchUnused(server)
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', options.answerBadRequest)
  await listen(server, options.host, options.port)

  return {
    port: (server.address() as AddressInfo).port,
    /**
     * Stops accepting connections, answers requests in flight and those that arrive on open connections within 500 ms (on
     * new ones within 5 s), each with `Connection: close`, and then closes idle connections. `http.Server.close` would close these immediately
     * and lose requests that are already on their way.
     */
    async stop() {
      const nowMs = performance.now()
      const endsAtMs = nowMs + options.shutdownTimeoutMs
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve())
      })
      options.close()
      await until(
        async () => (await openConnections(server)) === 0,
        Math.min(endsAtMs, nowMs + IDLE_DRAIN_MS),
      )
      await until(() => !hasUnused(), Math.min(endsAtMs, nowMs + FIRST_BYTE_MS))
      server.closeIdleConnections()
      await until(() => options.inFlight() === 0, endsAtMs)
      await until(
        async () => (await openConnections(server)) === 0,
        Math.min(endsAtMs, performance.now() + IDLE_DRAIN_MS),
      )
      server.closeAllConnections()
      await closed
      server.close()
    },
  }
}
