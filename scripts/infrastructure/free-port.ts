import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral range, so that no outgoing connection takes the port first. */
const LOWEST = 10_240
const HIGHEST = 32_767
const TRIES = 100

/** Whether a server can listen on this port, on every local address, now. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

/** Whoever got one of these may not listen on it yet. */
const given = new Set<number>()

/**
 * A TCP port that is free at the moment of the call, outside the ephemeral range, and was not given by this process.
 * @throws Error when a hundred tries found none
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (given.has(port) || !(await isPortFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST}`)
}
