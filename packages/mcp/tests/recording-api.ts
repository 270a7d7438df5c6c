import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SCOPES =
  'agreements:read customers:read documents:read kyb:read orders:read partner:read payments:read webhooks:read'

type Answer = Readonly<{ status: number; body: unknown }>
const answerWith = (data: unknown): Answer => ({
  status: 200,
  body: { request_id: 'req_1', api_version: '1', data },
})

/** Starts an API that gives every read the same answer, and records its requests. */
export const startRecordingApi = async () => {
  const requests: { method: string; url: string }[] = []
  let answer = answerWith({})
  let scope = SCOPES
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    const isToken = url === '/api/oauth/token'
    requests.push({ method, url })
    const token = { status: 200, body: { access_token: 'secret-token', expires_in: 900, scope } }
    const { status, body } = isToken ? token : answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setAnswer(next: Answer) {
      answer = next
    },
    setData(data: unknown) {
      answer = answerWith(data)
    },
    setScopes(scopes: string) {
      scope = scopes
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
