import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { connectBus, createLogger } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { EVENT_STREAM } from '@causeway/contracts'
import { streamUserOf } from '@causeway/dev-env/infrastructure/nats-permissions'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { isRunning } from '@causeway/dev-env/infrastructure/running'
import type { Supervised } from '@causeway/dev-env/platform/supervised'

const MESSAGES = `jetstream/jetstream/events/streams/${EVENT_STREAM}/msgs`

/** Kills a server and changes its files before its supervisor, which runs in this process, starts it again. */
export const damage = async (server: Supervised, change: () => void): Promise<void> => {
  const { pid } = server
  if (pid === null) throw new Error(`${server.name} does not run`)
  server.kill('SIGKILL')
  // Without returning to the event loop.
  while (isRunning(pid));
  change()
  await server.whenReady()
}

/** Cuts the newest file of the event stream's messages to half. @param folder of a NATS server */
export const cutMessages = (folder: string): void => {
  const files = readdirSync(join(folder, MESSAGES)).filter((name) => name.endsWith('.blk'))
  const newest = Math.max(...files.map((name) => Number.parseInt(name, 10)))
  const file = join(folder, MESSAGES, `${newest}.blk`)
  truncateSync(file, Math.floor(statSync(file).size / 2))
}

/** Deletes everything that a NATS server keeps. */
export const deleteStore = (folder: string): void => rmSync(join(folder, 'jetstream'), { recursive: true })

/** Reads of the event stream what its leader says. */
export const watchStream = async (dataDir: string, servers: readonly Supervised[]) => {
  const password = loadSecrets(join(dataDir, 'secrets.json')).natsPasswords.gateway
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const bus = await connectBus({
    url: `nats://gateway:${password}@${hosts}`,
    name: 'gateway',
    streamUser: streamUserOf('gateway'),
    log: createLogger({ service: 'test', level: 'error' }),
  })
  return {
    /** Resolves when every replica of the stream has all of it. */
    whenWhole: () =>
      eventually(async () => {
        const { cluster } = await (await bus.jetstreamManager()).streams.info(EVENT_STREAM)
        const replicas = cluster?.replicas ?? []
        return (
          replicas.length + 1 === servers.length &&
          replicas.every(({ current, offline }) => current && !offline)
        )
      }),
    stop: () => bus.close(),
  }
}
