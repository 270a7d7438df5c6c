import type { SenderName } from '@causeway/contracts'
import { connectBus, type Bus } from './bus/connect.ts'
import { createBusKeys, type LiveBusKeys } from './bus/keys.ts'
import type { BusTls } from './bus/server-address.ts'
import { createClock, type Clock } from './clock.ts'
import { startHealthServer } from './health.ts'
import { createLogger, type Logger } from './log.ts'
import { collectProcessMetrics } from './metrics.ts'
import { createSecrets, followSecrets, type Secrets } from './secrets.ts'
import type { BusKey } from './settings/values.ts'
import { startTracing } from './telemetry/start.ts'

/** A running process. `stop` finishes the work in flight first. */
export type Running = Readonly<{ stop: () => Promise<void>; healthPort: number }>

/** Configuration of every process: the bus, logs, health and traces. */
export type ProcessConfig = Readonly<{
  natsUrl: string
  natsTls?: BusTls
  /** User of the event stream and documents; left out: that of `natsUrl`. */
  natsStreamUser?: string | undefined
  /** Keys of this process's pairs: they seal its requests and check those that it receives. */
  busKeys: readonly BusKey[]
  logLevel: string
  healthHost: string
  healthPort: number
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

/** The parts of a process before it connects. */
export type Parts = Readonly<{
  name: SenderName
  log: Logger
  busKeys: LiveBusKeys
  clock: Clock
  secrets: ReturnType<typeof createSecrets>
  stopTracing: () => Promise<void>
}>

/** Result of `build`: the work of the process on its connections. */
export type Built = Readonly<{ ready: () => Promise<boolean>; stop: () => Promise<void> }>

/** @throws ConfigError that names the bad key of the bus */
export const prepareParts = async (
  name: SenderName,
  config: ProcessConfig & Pick<Secrets, 'databaseUrl'>,
): Promise<Parts> => {
  const log = createLogger({ service: name, level: config.logLevel })
  const busKeys = createBusKeys(name, config.busKeys)
  const stopTracing = await startTracing({
    service: name,
    mode: config.tracing,
    endpoint: config.traceEndpoint,
    jobShare: config.traceShare ?? 0,
  })
  collectProcessMetrics(name)
  const secrets = createSecrets(config, config.rereadSecrets)
  return { name, log, busKeys, clock: config.clock ?? createClock(), secrets, stopTracing }
}

/** Connects the bus; follows the sandbox's clock, where there is one, and the files of secrets. */
export const openBus = async (
  { name, log, busKeys, clock, secrets }: Parts,
  config: ProcessConfig,
): Promise<Readonly<{ bus: Bus; close: () => Promise<void> }>> => {
  const { timeoutFactor = 1 } = config
  const bus = await connectBus({
    url: config.natsUrl,
    tls: config.natsTls,
    streamUser: config.natsStreamUser,
    name,
    keys: busKeys,
    log,
    timeoutFactor,
  })
  // Imported only when it is used, so that no production process loads code that moves its clock.
  const leaveClock = config.followsSandboxClock
    ? await (await import('./sandbox-clock/index.ts')).followSandboxClock({ bus, clock, log, timeoutFactor })
    : null
  const following = config.rereadSecrets && followSecrets({ secrets, bus, busKeys, log })
  return {
    bus,
    async close() {
      await following?.stop()
      await leaveClock?.()
      await bus.close()
    },
  }
}

/** Serves health for what was built. Stopping ends the work, the connections, health and traces, in this order. */
export const serveBuilt = async <B extends Built>(
  { log, stopTracing }: Pick<Parts, 'log' | 'stopTracing'>,
  built: B,
  config: Pick<ProcessConfig, 'healthHost' | 'healthPort'>,
  closeConnections: () => Promise<void>,
): Promise<Running & Readonly<{ built: B }>> => {
  const health = await startHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    ready: built.ready,
  })
  log.info({ event: 'process.ready', healthPort: health.port }, 'Ready')
  return {
    built,
    healthPort: health.port,
    async stop() {
      await built.stop()
      await closeConnections()
      await health.stop()
      await stopTracing()
    },
  }
}
