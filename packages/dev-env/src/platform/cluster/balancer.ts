import { connect, createServer, type Socket } from 'node:net'

/** Passes each connection to one of several ports on this machine. */
export type Balancer = Readonly<{ port: number; stop: () => Promise<void> }>

const dial = (port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })

/**
 * Gives the ports their connections in turn. A port that nobody listens on is passed over, so that a replica may stop
 * at any time. When either end closes, or fails, so does the other.
 *
 * @throws when `port` is taken
 */
export const startBalancer = async (port: number, targets: readonly number[]): Promise<Balancer> => {
  let next = 0
  const open = new Set<Socket>()
  const dialAny = async (): Promise<Socket | null> => {
    const start = next++
    for (let tried = 0; tried < targets.length; tried += 1) {
      const target = targets[(start + tried) % targets.length]
      const socket = target === undefined ? null : await dial(target)
      if (socket !== null) return socket
    }
    return null
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    open.add(near)
    near.once('close', () => open.delete(near))
    near.on('error', () => near.destroy())
    void dialAny().then((far) => {
      if (far === null) {
        near.destroy()
        return
      }
      far.on('error', () => near.destroy())
      far.once('close', () => near.destroySoon())
      near.once('close', () => far.destroy())
      near.pipe(far)
      far.pipe(near)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`GATEWAY_PORT ${port} is taken`) : error),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
