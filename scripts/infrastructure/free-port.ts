import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which systems take the ports of outgoing connections, which would come in between. */
const LOWEST = 10_240
const HIGHEST = 32_767
const TRIES = 100

/** Whether a server could listen on this port of every local address now. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

/**
 * A TCP port that nobody listens on at the moment of the call, and that no outgoing connection will take.
 * @throws Error when a hundred tries found none
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (await isPortFree(port)) return port
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST}`)
}
