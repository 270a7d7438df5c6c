import { verify } from '@causeway/webhook-verifier'
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A request that a receiver got. */
export type Hit = Readonly<{ headers: IncomingHttpHeaders; body: string; path: string; atMs: number }>

/** Checks whether a hit is signed with a secret, at the time in its header, because tests move the clock. */
export const isSigned = (hit: Hit | undefined, secret: string): Promise<boolean> => {
  if (hit === undefined) return Promise.resolve(false)
  const now = new Date(Number(hit.headers['x-timestamp']) * 1000)
  return verify(hit.body, hit.headers, secret, { now }).then(
    () => true,
    () => false,
  )
}

type AnswerHit = (response: ServerResponse, hit: Hit, count: number) => void

export type Receiver = Readonly<{
  url: string
  port: number
  hits: Hit[]
  connections: () => number
  /** Connections that were open together at the most. */
  mostConnections: () => number
  /** Replaces its answer from now on. */
  answerWith: (answer: AnswerHit) => void
  close: () => Promise<void>
}>

const listen = async (server: Server, port = 0): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A receiver that speaks HTTP; `answer` makes the answer, 200 by default. */
export const startReceiver = async (
  firstAnswer: AnswerHit = (response) => response.end('ok'),
  atPort = 0,
): Promise<Receiver> => {
  const hits: Hit[] = []
  let answer = firstAnswer
  let connections = 0
  const open = { now: 0, most: 0 }
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const hit = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        path: request.url ?? '',
        atMs: performance.now(),
      }
      hits.push(hit)
      answer(response, hit, hits.length)
    })
  })
  // A machine that stalls for seconds must not end connections: tests count them.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    connections += 1
    open.now += 1
    open.most = Math.max(open.most, open.now)
    socket.on('close', () => (open.now -= 1))
  })
  const port = await listen(server, atPort)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    hits,
    connections: () => connections,
    mostConnections: () => open.most,
    answerWith: (next) => {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A receiver on the bare socket: `answer` gets each request's number on its connection and over all. */
export const startRawReceiver = async (
  answer: (socket: Socket, onConnection: number, overall: number) => void,
): Promise<Readonly<{ url: string; requests: () => number; close: () => Promise<void> }>> => {
  const sockets = new Set<Socket>()
  let overall = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    let onConnection = 0
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      if (!chunk.toString('latin1').startsWith('POST ')) return
      onConnection += 1
      overall += 1
      answer(socket, onConnection, overall)
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests: () => overall,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
