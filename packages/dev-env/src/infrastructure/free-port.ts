import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './running.ts'

/** Below the ephemeral range, so that no outgoing connection takes the port first. */
const LOWEST = 10_240
const HIGHEST = 32_767
const TRIES = 100

/** Tests that a server can listen on this port on every local address. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

/**
 * A file for each port that a process on this machine was given, with the process's id. Runs of tests, which have a
 * temporary folder each, share it.
 */
export const RESERVATIONS =
  process.env['PORT_RESERVATIONS'] ?? join(tmpdir(), `causeway-ports-${userInfo().uid}`)

/** Reserves a port while this process runs: the process that uses it may not listen yet. */
export const reserve = (port: number): boolean => {
  const file = join(RESERVATIONS, String(port))
  mkdirSync(RESERVATIONS, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
    // One that a process has left behind is for the next who asks.
    if (!isRunning(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true })
    return false
  }
}

/**
 * A TCP port that is free at the moment of the call, outside the ephemeral range, and not reserved by any running process:
 * platforms may start concurrently.
 * @throws Error when a hundred attempts found no free port
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (reserve(port) && (await isPortFree(port))) return port
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST}`)
}
