import { createServer, type AddressInfo, type Socket } from 'node:net'

/** One answer, in the pieces in which it is written. */
export type Served = Readonly<{ pieces: readonly Buffer[] }>

/** Cuts bytes at these places. */
export const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  )
  let from = 0
  return ends.map((end) => bytes.subarray(from, (from = end))).filter((piece) => piece.length > 0)
}

const writeAll = (socket: Socket, pieces: readonly Buffer[]): void => {
  let next = 0
  const write = () => {
    const piece = pieces[next]
    next += 1
    if (socket.destroyed) return
    if (piece === undefined) socket.end()
    // One piece a turn of the loop, so that most of them are read apart.
    else socket.write(piece, () => setImmediate(write))
  }
  write()
}

/** A receiver that answers `POST /<n>` with the n-th answer, and then ends the connection. */
export const serveAnswers = async (
  answers: readonly Served[],
): Promise<Readonly<{ origin: string; close: () => Promise<void> }>> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    let isAnswered = false
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const asked = /^POST \/(\d+) [\s\S]*\r\n\r\n\{\}$/.exec(text)
      if (!asked || isAnswered) return
      isAnswered = true
      writeAll(socket, answers[Number(asked[1])]?.pieces ?? [])
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
