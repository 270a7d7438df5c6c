/** An OTLP collector that takes every span and keeps none. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { childArgument, serveParent } from '../parts/child-main.ts'

await childArgument()
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
})
server.listen(0, '127.0.0.1', () =>
  serveParent((server.address() as AddressInfo).port, () => Promise.resolve(null)),
)
