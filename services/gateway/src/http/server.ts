import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { createBadRequestAnswer } from './bad-request.ts'
import { boundConnections, type ConnectionBounds } from './connections.ts'

/** Longer than what balancers and clients keep idle connections for, so that they close first and never meet a reset. */
const KEEP_ALIVE_MS = 65_000
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** How long idle connections are kept at a stop: a request that is on its way still finds its answer. */
const LAST_CALL_MS = 500
const POLL_MS = 20

/** A listening server that can go away without cutting anyone off. */
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

const until = async (isOver: () => Promise<boolean> | boolean, endsAtMs: number): Promise<void> => {
  while (!(await isOver()) && performance.now() < endsAtMs) await sleep(POLL_MS)
}

export type HttpServerOptions = Readonly<{
  host: string
  port: number
  handle: RequestListener
  answerBadRequest: ReturnType<typeof createBadRequestAnswer>
  /** Requests that wait for their answer. */
  inFlight: () => number
  /** Called first: from then on every answer says `Connection: close`. */
  close: () => void
  shutdownTimeoutMs: number
  /** Lengthens the time in which a request has to arrive; left out: 1. */
  timeoutFactor?: number
  connections: ConnectionBounds
}>

/** Serves HTTP/1.1. @throws when the port is taken, naming the setting */
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { timeoutFactor = 1 } = options
  // Whether there is one Host is judged by `faultOf`, which answers in the API's own words.
  const server = createServer({ keepAlive: true, noDelay: true, requireHostHeader: false })
  const began = boundConnections(server, options.connections)
  const handle: RequestListener = (request, response) => {
    began(request.socket, response)
    options.handle(request, response)
  }
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS * timeoutFactor
  server.requestTimeout = REQUEST_TIMEOUT_MS * timeoutFactor
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', options.answerBadRequest)
  await listen(server, options.host, options.port)

  return {
    port: (server.address() as AddressInfo).port,
    /**
     * Stops accepting, answers what is in flight or comes on an open connection within a moment, asking each to close,
     * and then closes what is idle. `http.Server.close` would cut idle connections at once, and with them the requests
     * that are just on their way.
     */
    async stop() {
      const nowMs = performance.now()
      const endsAtMs = nowMs + options.shutdownTimeoutMs
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve())
      })
      options.close()
      await until(async () => (await openConnections(server)) === 0, Math.min(endsAtMs, nowMs + LAST_CALL_MS))
      server.closeIdleConnections()
      await until(() => options.inFlight() === 0, endsAtMs)
      await until(
        async () => (await openConnections(server)) === 0,
        Math.min(endsAtMs, performance.now() + LAST_CALL_MS),
      )
      server.closeAllConnections()
      await closed
      server.close()
    },
  }
}
