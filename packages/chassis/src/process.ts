import { databaseOf, type ServiceName } from '@causeway/contracts'
import type { Bus } from './bus/connect.ts'
import type { BusKeys } from './bus/keys.ts'
import type { Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import { followDatabaseTime } from './db/clock-skew.ts'
import { createDb, type Db } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { followKeyRing, openKeyRing, type VaultUse } from './keys/ring.ts'
import type { KeyConfig } from './keys/settings.ts'
import type { Logger } from './log.ts'
import {
  openBus,
  prepareParts,
  serveBuilt,
  type Built,
  type Parts,
  type ProcessConfig,
  type Running,
} from './process-parts.ts'

export type ServiceConfig = ProcessConfig &
  Readonly<{ databaseUrl: string; poolSize: number; pipelinedConnections: number }>

/** Configuration of a service that encrypts what it stores. */
export type SealingConfig = ServiceConfig & Readonly<{ keys: KeyConfig }>

/** The connections of a service: its database is migrated, its clock set. */
export type ProcessContext = Readonly<{
  service: ServiceName
  db: Db
  bus: Bus
  busKeys: BusKeys
  clock: Clock
  log: Logger
  /** Factor of this process's timeouts. */
  timeoutFactor: number
}>

type ProcessOptions<B> = Readonly<{
  name: ServiceName
  /** Folder of the service's SQL migrations. */
  migrations: string
  build: (context: ProcessContext) => Promise<B>
}>

/** Migrates and opens the database, and sets the clock by it. */
const openDatabase = async (
  { name, migrations }: Pick<ProcessOptions<unknown>, 'name' | 'migrations'>,
  { log, clock, secrets }: Parts,
  config: ServiceConfig,
  isStarting: () => boolean,
) => {
  const { databaseUrl: url, poolSize, pipelinedConnections, timeoutFactor = 1 } = config
  await migrate({ url, folder: migrations, log }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${databaseOf(name).toUpperCase()}_DATABASE_URL: ${reason}`, { cause: error })
  })
  const currentUrl = () => secrets.current().databaseUrl ?? url
  const db = createDb({
    url,
    currentUrl,
    name,
    log,
    clock,
    poolSize,
    pipelinedConnections,
    timeoutFactor,
    isStarting,
  })
  await db.open()
  // The clock of a test is not corrected.
  const stopFollowing = config.clock ? () => undefined : await followDatabaseTime(db, clock, log)
  return {
    db,
    async close() {
      stopFollowing()
      await db.close()
    },
  }
}

/**
 * Starts a service: migrates the database, sets the clock, connects the bus, runs `build`, serves health; and stops it in
 * reverse.
 */
export const startProcess = async <B extends Built>(
  options: ProcessOptions<B>,
  config: ServiceConfig,
): Promise<Running & Readonly<{ built: B }>> => {
  const { name } = options
  let isStarting = true
  const parts = await prepareParts(name, config)
  const { log, clock, busKeys } = parts
  const database = await openDatabase(options, parts, config, () => isStarting)
  const { db } = database
  const { bus, close } = await openBus(parts, config)
  const { timeoutFactor = 1 } = config
  const built = await options.build({ service: name, db, bus, busKeys, clock, log, timeoutFactor })
  const running = await serveBuilt(parts, built, config, async () => {
    await close()
    await database.close()
  })
  isStarting = false
  return running
}

/** Opens the key ring before `build`, and refreshes it until what was built has stopped. */
export const withVault =
  <C extends ProcessContext, B extends Pick<Built, 'stop'>>(
    use: VaultUse,
    { databaseUrl, keys }: SealingConfig,
    build: (context: C & Readonly<{ vault: Vault }>) => Promise<B>,
  ) =>
  async (context: C): Promise<B> => {
    const service = databaseOf(context.service)
    const ring = await openKeyRing({ ...context, service, databaseUrl, config: keys, use })
    const following = followKeyRing(ring, { log: context.log, config: keys })
    const built = await build({ ...context, vault: ring.vault })
    return {
      ...built,
      async stop() {
        await built.stop()
        await following.stop()
      },
    }
  }
