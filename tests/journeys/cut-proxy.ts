import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy in front of a server whose open connections a test can cut at any moment. */
export const startCutProxy = async (target: string) => {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    open.add(near)
    const close = () => {
      open.delete(near)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', close).on('close', close)
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
