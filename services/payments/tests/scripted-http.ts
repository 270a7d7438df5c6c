import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'

type Answer = Readonly<{ status: number; body: unknown }>

/** An HTTP server on loopback with scripted responses. */
export const startScripted = async (
  answer: (request: IncomingMessage, url: URL) => Answer | Promise<Answer>,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    void (async () => {
      request.resume()
      const { status, body } = await answer(request, new URL(request.url ?? '/', 'http://127.0.0.1'))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
