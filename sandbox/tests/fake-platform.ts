import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SANDBOX_SIGNATURE_HEADER } from '@causeway/rails/sandbox'
import type { Notice } from '@causeway/rails/tests/card-fixture'

/** How the platform answers an authorization request. */
export type AuthorizationAnswer = 'allowed' | 'blocked' | 'failing' | 'nonsense'

const AUTHORIZATION_ANSWERS: Readonly<Record<AuthorizationAnswer, readonly [status: number, body: string]>> =
  {
    allowed: [200, JSON.stringify({ data: { allowed: true } })],
    blocked: [200, JSON.stringify({ data: { allowed: false } })],
    failing: [503, JSON.stringify({ data: { allowed: true } })],
    nonsense: [200, 'yes'],
  }

/** A fake of the platform's callbacks: records notices and authorization requests. It serves the merchant's shop too. */
export const startFakePlatform = async () => {
  const notices: Notice[] = []
  const authorizationRequests: Notice[] = []
  const statuses: number[] = []
  let authorization: AuthorizationAnswer = 'allowed'
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const headers = { [SANDBOX_SIGNATURE_HEADER]: String(request.headers[SANDBOX_SIGNATURE_HEADER]) }
      if (request.url === '/notices') {
        notices.push({ headers, body })
        response.writeHead(statuses.shift() ?? 200).end()
      } else if (request.url === '/notices/authorizations') {
        authorizationRequests.push({ headers, body })
        const [status, answer] = AUTHORIZATION_ANSWERS[authorization]
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
      } else {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<!doctype html><title>Shop</title><h1>Shop ${request.url ?? ''}</h1>`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    noticeUrl: `${url}/notices`,
    /** Received notices, in the order of arrival. */
    notices,
    authorizationRequests,
    /** Statuses of the responses to the next notices; 200 afterwards. */
    answerNotices: (...next: number[]) => void statuses.push(...next),
    setAuthorization: (next: AuthorizationAnswer) => {
      authorization = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
