import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'

/**
 * A fault of one request about a payment. `lose_request`: the connection ends before it takes effect; `lose_answer`: it
 * takes effect and the connection ends; `refuse`: 422; `throttle`: 429; `fail`: 500 without effect; `double`: the answer
 * is sent twice; `wait`: it takes effect and the answer waits for `release`.
 */
export type Fault = 'refuse' | 'throttle' | 'fail' | 'lose_request' | 'lose_answer' | 'double' | 'wait'
/** `refund`: a refund is requested; `read`: the payment is read; `list`: its refunds are listed. */
export type ProcessorCall = 'refund' | 'read' | 'list'

type Seen = Readonly<{ paymentId: string; call: ProcessorCall }>
type Options = Readonly<{
  /** Base URL of the sandbox's processors. */
  sandboxUrl: () => string
  /** Forwards their notices to the platform. @returns the status of the answer */
  takeNotice: (processor: string, headers: Record<string, string>, body: Buffer) => Promise<number>
}>

const STATUSES = { refuse: 422, throttle: 429, fail: 500 } as const

const seenIn = (request: IncomingMessage): Seen | null => {
  const [, paymentId, refunds] = /\/payments\/([^/?]+)(\/refunds)?(\?|$)/.exec(request.url ?? '') ?? []
  if (paymentId === undefined) return null
  if (request.method === 'POST') return { paymentId, call: 'refund' }
  return { paymentId, call: refunds === undefined ? 'read' : 'list' }
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)
        ? [[name, value]]
        : [],
    ),
  )

/**
 * Proxies requests to the sandbox's processors with faults for single payments, where the sandbox's own faults are for
 * all. It receives the processors' notices too, as the gateway does.
 */
export const startFaultProxy = async (options: Options) => {
  const faults = new Map<string, Fault[]>()
  const listeners = new Map<string, () => Promise<void>>()
  const waiting = new Set<() => void>()
  let isDown = false

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const [, noticed] = /^\/api\/callbacks\/cards\/([^/?]+)/.exec(request.url ?? '') ?? []
    if (noticed !== undefined) {
      response.writeHead(await options.takeNotice(noticed, headersOf(request), body)).end('{}')
      return
    }
    const seen = seenIn(request)
    if (isDown) {
      request.socket.resetAndDestroy()
      return
    }
    const fault = seen === null ? undefined : faults.get(`${seen.call} ${seen.paymentId}`)?.shift()
    if (fault === 'refuse' || fault === 'throttle' || fault === 'fail') {
      response.writeHead(STATUSES[fault]).end('{}')
      return
    }
    if (fault === 'lose_request') {
      request.socket.resetAndDestroy()
      return
    }
    const done = await fetch(`${options.sandboxUrl()}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(request.method === 'POST' && { body: new Uint8Array(body) }),
    })
    const text = await done.text()
    const listener = seen?.call === 'refund' ? listeners.get(seen.paymentId) : undefined
    if (seen && listener) {
      listeners.delete(seen.paymentId)
      await listener()
    }
    if (fault === 'wait') await new Promise<void>((resolve) => waiting.add(resolve))
    if (fault === 'lose_answer') {
      request.socket.resetAndDestroy()
      return
    }
    response.writeHead(done.status, { 'content-type': 'application/json' })
    if (fault === 'double')
      response.once('finish', () =>
        request.socket.write(`HTTP/1.1 ${done.status} OK\r\ncontent-length: 0\r\n\r\n`),
      )
    response.end(text)
  }
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    // The client may have been killed.
    answer(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Faults of the next requests about a payment, in order; later ones succeed. */
    inject: (paymentId: string, call: ProcessorCall, next: readonly Fault[]) =>
      void faults.set(`${call} ${paymentId}`, [...next]),
    /** Called once, after a refund of the payment was made and before its answer is sent. */
    onRefund: (paymentId: string, listener: () => Promise<void>) => void listeners.set(paymentId, listener),
    /** Makes every connection to the processors end without a response, or work again. */
    setDown: (down: boolean) => {
      isDown = down
    },
    /** How many answers are waiting. */
    waiting: () => waiting.size,
    /** Sends the waiting answers. */
    release() {
      for (const send of waiting) send()
      waiting.clear()
    },
    /** Removes all faults but refusals, and all listeners. */
    clearFaults() {
      listeners.clear()
      for (const [call, next] of faults)
        faults.set(
          call,
          next.filter((fault) => fault === 'refuse'),
        )
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
