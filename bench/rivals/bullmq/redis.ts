import { Redis } from 'ioredis'
import { mkdirSync } from 'node:fs'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { startServerProcess } from '@causeway/dev-env/infrastructure/server-process'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'
import type { Measured } from '../../measure/proc.ts'

export type RedisServer = Readonly<{
  process: Measured
  url: string
  client: Redis
  stop: () => Promise<void>
}>

/** Returns the first `redis-server` on PATH, or null. */
export const findRedis = (): string | null => findProgram(['redis-server'], process.env['PATH'] ?? '')

/** With the append-only file and the eviction policy that BullMQ's page on production asks for. */
const SETTINGS = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction']

export const startRedis = async (binary: string, folder: string): Promise<RedisServer> => {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const server = await startServerProcess({
    command: binary,
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', ...SETTINGS],
    logFile: `${folder}.log`,
    stopSignal: 'TERM',
  })
  const url = `redis://127.0.0.1:${port}`
  // Until the server listens, the client retries automatically.
  const client = new Redis(url, { maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  await client.ping()
  return {
    process: { name: 'redis', pid: server.pid, counts: 'withChildren' },
    url,
    client,
    stop: async () => {
      client.disconnect()
      await server.stop()
    },
  }
}
