import { createDatabases, DATABASES, type DatabaseName } from '../../infrastructure/postgres-databases.ts'
import { SANDBOX_NATS_USERS, type NatsUser } from '../../infrastructure/nats-permissions.ts'
import type { Infrastructure, InfrastructureOptions } from '../infrastructure.ts'
import { databaseSetting } from '../settings.ts'
import { startDatabasePair, type DatabasePair } from './database-pair.ts'
import { startNatsCluster, type NatsCluster } from './nats-cluster.ts'

/** The servers of `start --cluster`. */
export type ClusterInfrastructure = Infrastructure & Readonly<{ database: DatabasePair; bus: NatsCluster }>

/** The URL of a database at both servers of the pair. */
const atBoth = (url: string, { ports }: DatabasePair): string =>
  url.replace(/@127\.0\.0\.1:\d+\//, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/`)

const startDatabases = async ({ data, secrets, log }: InfrastructureOptions) => {
  const database = await startDatabasePair({ data, password: secrets.postgresAdminPassword, log })
  try {
    const made = await createDatabases(database.adminUrl(), secrets.postgresPasswords)
    const urls = DATABASES.map((name) => [name, atBoth(made[name], database)])
    await database.whenSynchronous()
    return { database, databaseUrls: Object.fromEntries(urls) as Record<DatabaseName, string> }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/**
 * Starts three NATS servers, and a primary and a synchronous standby of PostgreSQL.
 *
 * @throws Error that names the setting for an external server
 */
export const startClusterInfrastructure = async (
  options: InfrastructureOptions,
): Promise<ClusterInfrastructure> => {
  const { data, secrets, settings, env, log } = options
  const [named] = Object.keys(settings.databaseUrls) as DatabaseName[]
  if (named !== undefined || settings.NATS_URL !== undefined)
    throw new Error(
      `${named === undefined ? 'NATS_URL' : databaseSetting(named)} is set, but --cluster starts its own servers: remove it`,
    )
  const [databases, bus] = await Promise.allSettled([
    startDatabases(options),
    startNatsCluster({ data, passwords: secrets.natsPasswords, env, log }),
  ])
  if (databases.status === 'rejected' || bus.status === 'rejected') {
    if (databases.status === 'fulfilled') await databases.value.database.stop()
    if (bus.status === 'fulfilled') await bus.value.stop()
    throw databases.status === 'rejected' ? databases.reason : (bus as PromiseRejectedResult).reason
  }
  const { database, databaseUrls } = databases.value
  const natsUrls = SANDBOX_NATS_USERS.map((user) => [user, bus.value.urlOf(user)])
  return {
    database,
    bus: bus.value,
    servers: [...database.servers, ...bus.value.servers],
    postgres: null,
    nats: null,
    databaseUrls,
    natsUrls: Object.fromEntries(natsUrls) as Record<NatsUser, string>,
    hasStreamUsers: true,
    stop: async () => {
      await bus.value.stop()
      await database.stop()
    },
  }
}
