import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server whose faults are injected. */
export type TcpProxy = Readonly<{
  port: number
  /** Ends every connection with a reset. */
  cut: () => void
  /** Lets nothing through, in either direction, until it is set to false; new connections wait too. */
  setSilent: (isSilent: boolean) => void
  /** Delays all data. 0: no delay. */
  setDelay: (delayMs: number) => void
  stop: () => Promise<void>
}>

/** Passes connections on this machine to another port. */
export const startTcpProxy = async (target: Readonly<{ host: string; port: number }>): Promise<TcpProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isSilent = false
  let delayMs = 0

  /** Those of which something is still to be passed on later. */
  const isLate = new WeakSet<Socket>()

  /** Chunks of one direction leave in their order, each no earlier than its delay. */
  const pass = (from: Socket, to: Socket): void => {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      const wait = delayMs
      if (wait === 0 && !isLate.has(from)) {
        if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => isSilent || from.resume())
        }
        return
      }
      isLate.add(from)
      const due = new Promise<void>((resolve) => setTimeout(resolve, wait))
      last = last
        .then(() => due)
        .then(() => {
          if (!to.destroyed) to.write(chunk)
        })
      const mine = last
      void mine.then(() => last === mine && isLate.delete(from))
    })
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...target, noDelay: true })
    const pair = [near, far] as const
    pairs.add(pair)
    near.once('close', () => pairs.delete(pair))
    pass(near, far)
    pass(far, near)
    if (isSilent) for (const socket of pair) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    setSilent: (silent) => {
      isSilent = silent
      for (const pair of pairs) for (const socket of pair) socket[silent ? 'pause' : 'resume']()
    },
    setDelay: (ms) => {
      delayMs = ms
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
