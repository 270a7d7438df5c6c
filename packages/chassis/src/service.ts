import { healthOf, type ServiceName } from '@causeway/contracts'
import { connectBus, type BusOptions } from './bus/connect.ts'
import { createEventSeals } from './bus/event-seals.ts'
import { implement, type Implementation } from './bus/implement.ts'
import { createBusKeys, type BusKeys } from './bus/keys.ts'
import { serve } from './bus/serve.ts'
import type { BusTls } from './bus/server-address.ts'
import { createClock, type Clock } from './clock.ts'
import type { BusKey } from './config.ts'
import { followDatabaseTime } from './db/clock-skew.ts'
import { createDb, type Db } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import type { ServiceContext, KeylessServiceContext } from './service-context.ts'
import { startHealthServer } from './health.ts'
import { followKeyRing, openKeyRing, type VaultUse } from './keys/ring.ts'
import type { KeyConfig } from './keys/settings.ts'
import type { Running } from './lifecycle.ts'
import { createLogger, type Logger } from './log.ts'
import { collectProcessMetrics } from './metrics.ts'
import { startHousekeeping } from './housekeeping.ts'
import { startRelay } from './outbox/relay.ts'
import { refuse, reply } from './outcome.ts'
import { followSandboxClock } from './sandbox-clock/follow.ts'
import { startTracing } from './telemetry/start.ts'

export type ServiceConfig = Readonly<{
  databaseUrl: string
  natsUrl: string
  natsTls?: BusTls
  /** User of the event stream and documents; left out: that of `natsUrl`. */
  natsStreamUser?: string | undefined
  /** Keys of this process's pairs: it asks with them and is asked with them. */
  busKeys: readonly BusKey[]
  logLevel: string
  healthHost: string
  healthPort: number
  poolSize: number
  lanes: number
  tracing: 'off' | 'spans' | 'auto'
  traceEndpoint: string
  /** Whether the time follows the sandbox's clock; left out: it does not. */
  followsSandboxClock?: boolean
  /** Tests check every reply against its contract and bring their own clock. */
  checkReplies?: boolean
  clock?: Clock
}>

/** What a service that seals is configured with besides. */
export type SealingConfig = ServiceConfig & Readonly<{ keys: KeyConfig }>

type ServiceParts<G> = Readonly<{
  name: ServiceName
  /** Folder of the service's SQL migrations. */
  migrations: string
  /** Builds the service's operations and starts its background work. */
  build: (context: G) => Promise<{ operations: readonly Implementation[]; stop: () => Promise<void> }>
}>

const health = (service: ServiceName, db: Db): Implementation[] =>
  implement(healthOf(service), {
    check: () =>
      db.ping().then(
        () => reply({ ready: true as const }),
        () => refuse('temporarily_unavailable'),
      ),
  })

/** How a process with this configuration joins the bus. */
export const busOptions = (
  name: string,
  config: Pick<ServiceConfig, 'natsUrl' | 'natsTls' | 'natsStreamUser'>,
  keys: BusKeys,
  log: Logger,
): BusOptions => ({
  url: config.natsUrl,
  tls: config.natsTls,
  streamUser: config.natsStreamUser,
  name,
  keys,
  log,
})

/** Starts a service: database up to date, clock set, operations served, outbox relayed; and stops it in reverse. */
export const startKeylessService = async (
  parts: ServiceParts<KeylessServiceContext>,
  config: ServiceConfig,
): Promise<Running> => {
  const log = createLogger({ service: parts.name, level: config.logLevel })
  const keys = createBusKeys(parts.name, config.busKeys)
  const stopTracing = await startTracing({
    service: parts.name,
    mode: config.tracing,
    endpoint: config.traceEndpoint,
  })
  collectProcessMetrics(parts.name)
  const clock = config.clock ?? createClock()
  await migrate({ url: config.databaseUrl, folder: parts.migrations, log })
  const db = createDb({
    url: config.databaseUrl,
    name: parts.name,
    log,
    clock,
    poolSize: config.poolSize,
    lanes: config.lanes,
  })
  const stopFollowing = await followDatabaseTime(db, clock, log)
  const bus = await connectBus(busOptions(parts.name, config, keys, log))
  const leaveClock = config.followsSandboxClock ? await followSandboxClock({ bus, clock, log }) : null
  const eventSeals = createEventSeals(keys)
  const context: KeylessServiceContext = { service: parts.name, db, bus, eventSeals, clock, log }
  const relay = startRelay(context)
  const housekeeping = startHousekeeping(context)
  const built = await parts.build(context)
  serve(bus, [...built.operations, ...health(parts.name, db)], {
    service: parts.name,
    keys,
    clock,
    log,
    checkReplies: config.checkReplies ?? false,
  })
  await bus.connection.flush()
  const server = await startHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    ready: () => db.ping().then(() => bus.connected()),
  })
  log.info({ healthPort: server.port }, 'Ready')
  return {
    healthPort: server.port,
    async stop() {
      await bus.drainRequests()
      await built.stop()
      housekeeping.stop()
      await relay.stop()
      await leaveClock?.()
      await bus.close()
      stopFollowing()
      await db.close()
      await server.stop()
      await stopTracing()
    },
  }
}

/** Starts a service that seals: as above, and its key ring opened. */
export const startService = (
  parts: ServiceParts<ServiceContext> & Readonly<{ keys: VaultUse }>,
  config: SealingConfig,
): Promise<Running> =>
  startKeylessService(
    {
      ...parts,
      async build(context) {
        const { databaseUrl, keys } = config
        const ring = await openKeyRing({ ...context, databaseUrl, config: keys, use: parts.keys })
        const following = followKeyRing(ring, { log: context.log, config: keys })
        const built = await parts.build({ ...context, vault: ring.vault })
        return {
          operations: built.operations,
          async stop() {
            await built.stop()
            await following.stop()
          },
        }
      },
    },
    config,
  )
