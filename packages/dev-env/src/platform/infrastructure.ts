import { natsConfig } from '../infrastructure/nats-config.ts'
import { SANDBOX_NATS_USERS, type NatsUser } from '../infrastructure/nats-permissions.ts'
import { startNats } from '../infrastructure/nats.ts'
import { createDatabases, DATABASES, type DatabaseName } from '../infrastructure/postgres-databases.ts'
import { startPostgres } from '../infrastructure/postgres.ts'
import { freePort } from '../infrastructure/free-port.ts'
import type { ServerProcess } from '../infrastructure/server-process.ts'
import { hasSigner } from './components.ts'
import type { DataFolder } from './data-folder.ts'
import type { RunningProcess } from './node-process.ts'
import { waitForPreviousServer } from './previous-server.ts'
import type { Secrets } from './secrets.ts'
import type { StartSettings } from './settings.ts'
import { type Supervised, supervise } from './supervised.ts'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { STREAM_ACCOUNTS } from '@causeway/contracts'

/**
 * Moves streams from the default account `$G`, where earlier versions kept them, to their present accounts, so that an
 * update loses no document. The server must be stopped.
 * @param storeFolder the configuration's `store_dir`
 */
const moveStreamsToAccounts = (storeFolder: string): void => {
  for (const [account, stream] of Object.entries(STREAM_ACCOUNTS)) {
    const at = (name: string) => join(storeFolder, 'jetstream', name, 'streams', stream)
    if (!existsSync(at('$G')) || existsSync(at(account))) continue
    mkdirSync(dirname(at(account)), { recursive: true, mode: 0o750 })
    renameSync(at('$G'), at(account))
  }
}

export type Infrastructure = {
  /** Every server that was started. */
  servers: readonly Supervised[]
  /** Null when the settings name running servers. */
  postgres: Supervised | null
  nats: Supervised | null
  databaseUrls: Record<DatabaseName, string>
  natsUrls: Record<NatsUser, string>
  /** Gives each process its own stream user. */
  hasStreamUsers: boolean
  /** Stops the bus before the databases. */
  stop: () => Promise<void>
}

export type InfrastructureOptions = {
  data: DataFolder
  secrets: Secrets
  settings: StartSettings
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}

const asRunning = (server: ServerProcess & { port: number }): RunningProcess => ({
  ...server,
  exited: server.exited.then((code) => `code ${code}`),
})

const startDatabaseServer = async ({ data, secrets, settings, env, log }: InfrastructureOptions) => {
  const named = settings.databaseUrls
  const needed = DATABASES.filter((name) => name !== 'signer' || hasSigner(env))
  if (needed.every((name) => named[name] !== undefined)) return { postgres: null, databaseUrls: named }
  const port = await freePort()
  let adminUrl = ''
  const start = async () => {
    await waitForPreviousServer(data.at('postgres', 'postmaster.pid'), 'postgres')
    const server = await startPostgres({
      folder: data.at('postgres'),
      logFile: data.at('logs', 'postgres.log'),
      password: secrets.postgresAdminPassword,
      port,
    })
    adminUrl = server.adminUrl
    return asRunning(server)
  }
  const postgres = await supervise({ name: 'postgres', start, log })
  try {
    const made = await createDatabases(adminUrl, secrets.postgresPasswords)
    return { postgres, databaseUrls: { ...made, ...named } }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

const startBus = async ({ data, secrets, settings, env, log }: InfrastructureOptions) => {
  const given = settings.NATS_URL
  const urlsOf = (url: (user: NatsUser) => string) =>
    Object.fromEntries(SANDBOX_NATS_USERS.map((user) => [user, url(user)])) as Record<NatsUser, string>
  if (given !== undefined) return { nats: null, natsUrls: urlsOf(() => given), hasStreamUsers: false }
  const port = await freePort()
  const start = async () => {
    await waitForPreviousServer(data.at('nats', 'nats.pid'), 'nats-server')
    moveStreamsToAccounts(data.at('nats', 'jetstream'))
    const config = (paths: { listen: string; storeFolder: string }) =>
      natsConfig({
        ...paths,
        hasSandbox: true,
        password: (user) => JSON.stringify(secrets.natsPasswords[user]),
      })
    return asRunning(
      await startNats({ folder: data.at('nats'), logFile: data.at('logs', 'nats.log'), env, port, config }),
    )
  }
  const nats = await supervise({ name: 'nats', start, log })
  const url = (user: NatsUser) => `nats://${user}:${secrets.natsPasswords[user]}@127.0.0.1:${port}`
  return { nats, natsUrls: urlsOf(url), hasStreamUsers: true }
}

/**
 * Starts the servers that the settings do not name: PostgreSQL with a database and role for each component, and NATS
 * with its users.
 */
export const startInfrastructure = async (options: InfrastructureOptions): Promise<Infrastructure> => {
  const [database, bus] = await Promise.allSettled([startDatabaseServer(options), startBus(options)])
  if (database.status === 'fulfilled' && bus.status === 'fulfilled') {
    const databaseUrls = database.value.databaseUrls as Record<DatabaseName, string>
    const { postgres } = database.value
    const { nats } = bus.value
    return {
      ...bus.value,
      servers: [postgres, nats].filter((server) => server !== null),
      postgres,
      databaseUrls,
      stop: async () => {
        await nats?.stop()
        await postgres?.stop()
      },
    }
  }
  if (database.status === 'fulfilled') await database.value.postgres?.stop()
  if (bus.status === 'fulfilled') await bus.value.nats?.stop()
  throw (database.status === 'rejected' ? database : (bus as PromiseRejectedResult)).reason
}
