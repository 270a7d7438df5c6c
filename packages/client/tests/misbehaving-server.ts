import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as it arrived. */
export type Hit = Readonly<{ method: string; url: string; headers: IncomingMessage['headers']; body: string }>
/** Handles one request of the server. */
export type Behaviour = (response: ServerResponse, hit: Hit) => void

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
export const data = (value: unknown, status = 200): Behaviour =>
  json(status, { request_id: 'req_1', api_version: '2026-11-01', data: value })
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Behaviour =>
  json(status, { error: { code, message: 'No.', request_id: 'req_9', details: [{ field: 'a' }] } }, headers)
/** The connection ends before an answer, or in the middle of one. */
export const cut: Behaviour = (response) => response.destroy()
export const cutInBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"request_id"')
  setTimeout(() => response.destroy(), 20)
}
export const silence: Behaviour = () => undefined

/**
 * Starts a server that handles each request with the next behaviour, and repeats the last one. It issues tokens as the
 * platform does; token requests use up no behaviour.
 */
export const startServer = async () => {
  const hits: Hit[] = []
  const tokens: Hit[] = []
  /** How often the server was told what to do: a request of an earlier test may end in a later one. */
  let turn = 0
  let behaviours: Behaviour[] = []
  let tokenBehaviours: Behaviour[] = []
  const issue: Behaviour = (response, hit) =>
    json(200, { access_token: `token-${tokens.length}`, token_type: 'Bearer', expires_in: 900 })(
      response,
      hit,
    )
  const server = createServer((request, response) => {
    const begunIn = turn
    void buffer(request)
      .catch(() => Buffer.from('cut'))
      .then((body) => {
        if (turn !== begunIn) return void response.destroy()
        const { method = '', url = '', headers } = request
        const hit = { method, url, headers, body: body.toString() }
        const isToken = url === '/api/oauth/token'
        ;(isToken ? tokens : hits).push(hit)
        const next = isToken
          ? (tokenBehaviours.shift() ?? issue)
          : behaviours.length > 1
            ? behaviours.shift()
            : behaviours[0]
        next?.(response, hit)
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    tokens,
    /** Forgets what was before. */
    will(...next: Behaviour[]) {
      turn += 1
      hits.length = 0
      tokens.length = 0
      behaviours = next
      tokenBehaviours = []
    },
    issuing: (...next: Behaviour[]) => {
      tokenBehaviours = next
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Server = Awaited<ReturnType<typeof startServer>>
