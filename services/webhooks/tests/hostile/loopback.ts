import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Behaviour } from './behaviour.ts'

/** A server of one behaviour. */
export type Loopback = Readonly<{ port: number; requests: () => number; close: () => Promise<void> }>

const HEAD_END = '\r\n\r\n'

/** Calls for every request that has arrived whole on this connection. */
const onRequests = (socket: Socket, arrived: (onConnection: number) => void): void => {
  let text = ''
  let onConnection = 0
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += String(chunk)
    for (;;) {
      const headEnd = text.indexOf(HEAD_END)
      if (headEnd < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0)
      const end = headEnd + HEAD_END.length + length
      if (text.length < end) return
      text = text.slice(end)
      onConnection += 1
      arrived(onConnection)
    }
  })
}

/** A server on a free port of loopback whose connections go to `serve`. */
export const listenWith = async (
  serve: (answer: (socket: Socket) => void) => Server,
  { accept, answer }: Pick<Behaviour, 'accept' | 'answer'>,
): Promise<Loopback> => {
  const sockets = new Set<Socket>()
  let overall = 0
  const server = serve((socket) => {
    onRequests(socket, (onConnection) => {
      overall += 1
      answer(socket, { onConnection, overall })
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    accept?.(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => overall,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A receiver over plain TCP. It may answer after the other side has ended. */
export const listenPlain = (behaviour: Pick<Behaviour, 'accept' | 'answer'>): Promise<Loopback> =>
  listenWith((serve) => createServer({ allowHalfOpen: true }, serve), behaviour)
