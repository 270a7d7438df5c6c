import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * What becomes of one call of a payment. `lose_request`: the connection ends and nothing was done; `lose_answer`: it
 * was done and the connection ends; `refuse`: 422; `throttle`: 429; `fail`: 500, nothing done; `double`: the answer
 * comes twice; `wait`: it was done and the answer waits for `release`.
 */
export type Manner = 'refuse' | 'throttle' | 'fail' | 'lose_request' | 'lose_answer' | 'double' | 'wait'
/** `refund`: a refund is asked for; `read`: the payment is read; `list`: its refunds are listed. */
export type ProcessorCall = 'refund' | 'read' | 'list'

type Seen = Readonly<{ paymentId: string; call: ProcessorCall }>
type Options = Readonly<{
  /** Where the processors are. */
  sandboxUrl: () => string
  /** Takes what they post to the platform. @returns the status of the answer */
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
 * Stands between the platform and the sandbox's processors, and misbehaves for single payments, where the sandbox's
 * own faults are for all. It takes their notices too, as the gateway does.
 */
export const startProcessorFront = async (options: Options) => {
  const manners = new Map<string, Manner[]>()
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
    const manner = seen === null ? undefined : manners.get(`${seen.call} ${seen.paymentId}`)?.shift()
    if (manner === 'refuse' || manner === 'throttle' || manner === 'fail') {
      response.writeHead(STATUSES[manner]).end('{}')
      return
    }
    if (manner === 'lose_request') {
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
    if (manner === 'wait') await new Promise<void>((resolve) => waiting.add(resolve))
    if (manner === 'lose_answer') {
      request.socket.resetAndDestroy()
      return
    }
    response.writeHead(done.status, { 'content-type': 'application/json' })
    if (manner === 'double')
      response.once('finish', () =>
        request.socket.write(`HTTP/1.1 ${done.status} OK\r\ncontent-length: 0\r\n\r\n`),
      )
    response.end(text)
  }
  const server = createServer((request, response) => {
    // Who asked may be gone: it was killed.
    answer(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The front has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** What becomes of the next calls of a payment, one after the other; later ones are well. */
    behave: (paymentId: string, call: ProcessorCall, next: readonly Manner[]) =>
      void manners.set(`${call} ${paymentId}`, [...next]),
    /** Called once, when a refund of the payment was made and before its answer leaves. */
    onRefund: (paymentId: string, listener: () => Promise<void>) => void listeners.set(paymentId, listener),
    /** Whether every connection to the processors ends without an answer. */
    setDown: (down: boolean) => {
      isDown = down
    },
    /** How many answers wait. */
    waiting: () => waiting.size,
    /** Lets the answers go that wait. */
    release() {
      for (const go of waiting) go()
      waiting.clear()
    },
    /** From now on nothing fails and nobody is called; a no stays a no. */
    mend() {
      listeners.clear()
      for (const [call, next] of manners)
        manners.set(
          call,
          next.filter((manner) => manner === 'refuse'),
        )
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
