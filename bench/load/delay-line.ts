/** A proxy that delays what clients send, so that each exchange takes longer by that time. */
import { connect, createServer, type AddressInfo } from 'node:net'
import { childArgument, serveParent } from '../parts/child-main.ts'
import type { DelayLineArgument } from './delay-line-process.ts'

const { port, upstreamPort } = (await childArgument()) as DelayLineArgument
let delayMs = 0

const server = createServer((client) => {
  const upstream = connect(upstreamPort, '127.0.0.1')
  client.on('data', (chunk) => setTimeout(() => upstream.write(chunk), delayMs))
  upstream.pipe(client)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
})
server.listen(port, '127.0.0.1', () => {
  serveParent((server.address() as AddressInfo).port, async (ms: number) => {
    delayMs = ms
    return null
  })
})
