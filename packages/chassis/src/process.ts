import type { SenderName } from '@causeway/contracts'
import { connectBus, type Bus } from './bus/connect.ts'
import { createBusKeys, type BusKeys } from './bus/keys.ts'
import { createSecrets, followSecrets, type Secrets } from './secrets.ts'
import type { BusTls } from './bus/server-address.ts'
import { createClock, type Clock } from './clock.ts'
import type { BusKey } from './settings/values.ts'
import type { Vault } from './crypto.ts'
import { followDatabaseTime } from './db/clock-skew.ts'
import { createDb, type Db } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { startHealthServer } from './health.ts'
import { followKeyRing, openKeyRing, type VaultUse } from './keys/ring.ts'
import type { KeyConfig } from './keys/settings.ts'
import { createLogger, type Logger } from './log.ts'
import { collectProcessMetrics } from './metrics.ts'
import { startTracing } from './telemetry/start.ts'

/** A running service. `stop` finishes the work in flight first. */
export type Running = Readonly<{ stop: () => Promise<void>; healthPort: number }>

export type ServiceConfig = Readonly<{
  databaseUrl: string
  natsUrl: string
  natsTls?: BusTls
  /** User of the event stream and documents; left out: that of `natsUrl`. */
  natsStreamUser?: string | undefined
  /** Keys of this process's pairs: they seal its requests and check those that it receives. */
  busKeys: readonly BusKey[]
  logLevel: string
  healthHost: string
  healthPort: number
  poolSize: number
  pipelinedConnections: number
  tracing: 'off' | 'spans' | 'auto'
  traceEndpoint: string
  /** Share of the runs of jobs that are traced, from 0 to 1; left out: none. */
  traceShare?: number
  /** Lengthens the timeouts of the database, the bus, other services, providers and requests that arrive; left out: 1. */
  timeoutFactor?: number
  /** True if the time follows the sandbox's clock; left out: false. */
  followsSandboxClock?: boolean
  /** Reads the secrets again: their files may have changed. Left out: they do not change. @throws ConfigError */
  rereadSecrets?: () => Secrets
  /** Tests check every reply against its contract and bring their own clock. */
  checkReplies?: boolean
  clock?: Clock
}>

/** Configuration of a service that encrypts what it stores. */
export type SealingConfig = ServiceConfig & Readonly<{ keys: KeyConfig }>

/** The connections of a process: its database is migrated, its clock set. */
export type ProcessContext = Readonly<{
  service: string
  db: Db
  bus: Bus
  busKeys: BusKeys
  clock: Clock
  log: Logger
  /** Factor of this process's timeouts. */
  timeoutFactor: number
}>

/** Result of `build`: the work of the process on its connections. */
type Built = Readonly<{ ready: () => Promise<boolean>; stop: () => Promise<void> }>

type ProcessOptions<B> = Readonly<{
  name: SenderName
  /** Folder of the process's SQL migrations. */
  migrations: string
  build: (context: ProcessContext) => Promise<B>
}>

const connect = async (
  { name, migrations }: ProcessOptions<unknown>,
  config: ServiceConfig,
  isStarting: () => boolean,
) => {
  const log = createLogger({ service: name, level: config.logLevel })
  const busKeys = createBusKeys(name, config.busKeys)
  const stopTracing = await startTracing({
    service: name,
    mode: config.tracing,
    endpoint: config.traceEndpoint,
    jobShare: config.traceShare ?? 0,
  })
  collectProcessMetrics(name)
  const clock = config.clock ?? createClock()
  const {
    databaseUrl: url,
    poolSize,
    pipelinedConnections,
    natsTls,
    natsStreamUser,
    timeoutFactor = 1,
  } = config
  await migrate({ url, folder: migrations, log }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${name.toUpperCase()}_DATABASE_URL: ${reason}`, { cause: error })
  })
  const secrets = createSecrets(config, config.rereadSecrets)
  const currentUrl = () => secrets.current().databaseUrl
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
  // The clock of a test is not corrected.
  await db.open()
  const stopFollowing = config.clock ? () => undefined : await followDatabaseTime(db, clock, log)
  const bus = await connectBus({
    url: config.natsUrl,
    tls: natsTls,
    streamUser: natsStreamUser,
    name,
    keys: busKeys,
    log,
    timeoutFactor,
  })
  // Imported only when it is used, so that no production process loads code that moves its clock.
  const leaveClock = config.followsSandboxClock
    ? await (await import('./sandbox-clock/index.ts')).followSandboxClock({ bus, clock, log })
    : null
  const following = config.rereadSecrets && followSecrets({ secrets, bus, busKeys, log })
  const context: ProcessContext = { service: name, db, bus, busKeys, clock, log, timeoutFactor }
  const close = async () => {
    await following?.stop()
    await leaveClock?.()
    await bus.close()
    stopFollowing()
    await db.close()
  }
  return { context, close, stopTracing }
}

/**
 * Starts a process: migrates the database, sets the clock, connects the bus, runs `build`, serves health; and stops it
 * in reverse. The gateway, which serves HTTP and emits no events, is started by this; services by `startService`.
 */
export const startProcess = async <B extends Built>(
  options: ProcessOptions<B>,
  config: ServiceConfig,
): Promise<Running & Readonly<{ built: B }>> => {
  let isStarting = true
  const { context, close, stopTracing } = await connect(options, config, () => isStarting)
  const built = await options.build(context)
  const health = await startHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    ready: built.ready,
  })
  isStarting = false
  context.log.info({ event: 'process.ready', healthPort: health.port }, 'Ready')
  return {
    built,
    healthPort: health.port,
    async stop() {
      await built.stop()
      await close()
      await health.stop()
      await stopTracing()
    },
  }
}

/** Opens the key ring before `build`, and refreshes it until what was built has stopped. */
export const withVault =
  <C extends ProcessContext, B extends Pick<Built, 'stop'>>(
    use: VaultUse,
    { databaseUrl, keys }: SealingConfig,
    build: (context: C & Readonly<{ vault: Vault }>) => Promise<B>,
  ) =>
  async (context: C): Promise<B> => {
    const ring = await openKeyRing({ ...context, databaseUrl, config: keys, use })
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
