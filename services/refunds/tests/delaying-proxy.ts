import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { request as send } from 'undici'

/** `list`: a payment's refunds are read; `refund`: one is requested. */
type Call = 'list' | 'refund'

const callOf = ({ method, url }: IncomingMessage): Call | null => {
  if (!/\/payments\/[^/]+\/refunds$/.test(url ?? '')) return null
  return method === 'POST' ? 'refund' : 'list'
}

/** A proxy to the sandbox's processors that can hold single calls before it forwards them. */
export const startDelayingProxy = async () => {
  const holds = new Map<Call, { reach: () => void; released: Promise<unknown>; status: number | null }>()
  let upstream: string | null = null

  const forward = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const call = callOf(incoming)
    const hold = call === null ? undefined : holds.get(call)
    if (call !== null) holds.delete(call)
    hold?.reach()
    await hold?.released
    if (typeof hold?.status === 'number') {
      response.writeHead(hold.status).end('{}')
      return
    }
    if (upstream === null) throw new Error('The proxy has no upstream yet')
    const key = incoming.headers['idempotency-key']
    const answer = await send(`${upstream}${incoming.url ?? ''}`, {
      method: incoming.method === 'POST' ? 'POST' : 'GET',
      headers: {
        'content-type': 'application/json',
        ...(typeof key === 'string' && { 'idempotency-key': key }),
      },
      ...(incoming.method === 'POST' && { body }),
    })
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' })
    response.end(await answer.body.text())
  }
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (incoming, response) => {
    forward(incoming, response).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    forwardTo: (url: string) => {
      upstream = url
    },
    /**
     * Holds the next such call until it is released; `reached` resolves once it has arrived.
     * @param status answered then, instead of forwarding the call
     */
    hold(call: Call, status: number | null = null): { reached: Promise<unknown>; release: () => void } {
      const [reached, released] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
      holds.set(call, { reach: () => reached.resolve(null), released: released.promise, status })
      return { reached: reached.promise, release: () => released.resolve(null) }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
