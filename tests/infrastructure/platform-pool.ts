import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Platform } from '@causeway/dev-env/platform/platform'

/** Keeps an unclaimed platform for the next file; an idle one uses processor time that other tests need. */
const KEPT_FOR_MS = 20_000
/** Sent by a file whose platform the next file may use. Without it, the platform stops when the connection closes. */
export const RELEASE = 'release'

export type PlatformAddress = Pick<Platform, 'baseUrl' | 'sandboxUrl' | 'operatorKey' | 'dataDir'>
type PooledPlatform = PlatformAddress & Pick<Platform, 'stop'>

export type PlatformPool = Readonly<{ port: number; stop: () => Promise<void> }>

/**
 * Lends running platforms with default settings to the test files of a run, each to one file at a time. A file claims a
 * platform by connecting; it receives the platform's addresses, or the error of the start, as one line of JSON.
 *
 * @param start starts another platform when none is free
 */
export const startPlatformPool = async (start: () => Promise<PooledPlatform>): Promise<PlatformPool> => {
  const free = new Map<PooledPlatform, NodeJS.Timeout>()
  const running = new Set<PooledPlatform>()
  const stopped: Promise<void>[] = []

  const stopPlatform = (platform: PooledPlatform) => {
    if (!running.delete(platform)) return
    clearTimeout(free.get(platform))
    free.delete(platform)
    stopped.push(platform.stop())
  }
  const claim = async (): Promise<PooledPlatform> => {
    const [kept] = free
    if (kept !== undefined) {
      clearTimeout(kept[1])
      free.delete(kept[0])
      return kept[0]
    }
    const platform = await start()
    running.add(platform)
    return platform
  }
  const lend = async (socket: Socket): Promise<void> => {
    // A worker that is killed resets its connection, which also closes it.
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const received: string[] = []
    createInterface({ input: socket }).on('line', (line) => received.push(line))
    try {
      const platform = await claim()
      const { baseUrl, sandboxUrl, operatorKey, dataDir } = platform
      socket.write(
        `${JSON.stringify({ baseUrl, sandboxUrl, operatorKey, dataDir } satisfies PlatformAddress)}\n`,
      )
      await closed
      if (!received.includes(RELEASE) || !running.has(platform)) {
        stopPlatform(platform)
        return
      }
      free.set(
        platform,
        setTimeout(() => stopPlatform(platform), KEPT_FOR_MS),
      )
    } catch (error) {
      socket.end(`${JSON.stringify({ error: String(error) })}\n`)
    }
  }

  const server = createServer((socket) => void lend(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close()
      for (const platform of running) stopPlatform(platform)
      await Promise.all(stopped)
    },
  }
}
