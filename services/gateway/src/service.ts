import {
  busOptions,
  connectBus,
  createBlobs,
  createBusKeys,
  createCursors,
  createClock,
  createDb,
  createLogger,
  followDatabaseTime,
  followKeyRing,
  followSandboxClock,
  migrate,
  openBlobStore,
  openKeyRing,
  startHealthServer,
  startStreamKeeper,
  startTracing,
  type Running,
} from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { createKeyring } from './signing-keys/keyring.ts'
import { createChangeFeed } from './change-feed/change-feed.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { createReadiness } from './http/readiness.ts'
import { startHttpServer } from './http/server.ts'
import { startAuditHead } from './audit/head-job.ts'
import { startCredentialPurge } from './oauth/purge-job.ts'
import { startKeyRotation } from './signing-keys/rotation-job.ts'
import { VAULT_USE } from './sealed-columns.ts'

const NAME = 'gateway'
/** Folder of the gateway's SQL migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Connects to everything the gateway needs: database up to date, clock set, bus open, a signing key there. */
const connect = async (config: GatewayConfig) => {
  const log = createLogger({ service: NAME, level: config.logLevel })
  const busKeys = createBusKeys(NAME, config.busKeys)
  const stopTracing = await startTracing({
    service: NAME,
    mode: config.tracing,
    endpoint: config.traceEndpoint,
  })
  const clock = config.clock ?? createClock()
  await migrate({ url: config.databaseUrl, folder: MIGRATIONS, log })
  const { poolSize, lanes } = config
  const db = createDb({ url: config.databaseUrl, name: NAME, log, clock, poolSize, lanes })
  const stopFollowing = await followDatabaseTime(db, clock, log)
  const bus = await connectBus(busOptions(NAME, config, busKeys, log))
  const leaveClock = config.followsSandboxClock ? await followSandboxClock({ bus, clock, log }) : null
  const { databaseUrl, keys } = config
  const ring = await openKeyRing({ service: NAME, db, databaseUrl, clock, log, config: keys, use: VAULT_USE })
  const followingKeys = followKeyRing(ring, { log, config: keys })
  const { vault } = ring
  const blobs = createBlobs(await openBlobStore(config.blobs, { bus, clock }))
  const { eventBytes: events, documentBytes } = config
  const documents = config.blobs.kind === 'jetstream' ? documentBytes : null
  const keeper = await startStreamKeeper({ bus, log, bounds: { events, documents } })
  const { tokenTtlMs, rotateKeysAfterMs } = config
  const keyring = createKeyring({ db, vault, clock, log, tokenTtlMs, rotateAfterMs: rotateKeysAfterMs })
  const changeFeed = createChangeFeed({ db, bus, log })
  const getReadiness = createReadiness({ db, bus, clock })
  const close = async () => {
    await followingKeys.stop()
    await keeper.stop()
    await leaveClock?.()
    await bus.close()
    stopFollowing()
    await db.close()
    await stopTracing()
  }
  const cursors = createCursors(vault)
  const context: GatewayContext = {
    db,
    bus,
    clock,
    log,
    vault,
    blobs,
    cursors,
    keyring,
    changeFeed,
    getReadiness,
  }
  return { context, close }
}

/** Starts the gateway and gives the port of its API; stopping answers what is in flight first. */
export const startGateway = async (config: GatewayConfig): Promise<Running & { port: number }> => {
  const { context, close } = await connect(config)
  const { keyring, changeFeed, log } = context
  const app = createApp(context, config)
  await changeFeed.start()
  await keyring.rotate()
  await keyring.load()
  const rotation = startKeyRotation(context)
  const purge = startCredentialPurge(context)
  const auditHead = startAuditHead(context)
  const health = await startHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    ready: async () => (await context.getReadiness()).ready,
  })
  const server = await startHttpServer({
    host: config.host,
    port: config.port,
    shutdownTimeoutMs: config.shutdownTimeoutMs,
    connections: config.connections,
    ...app,
  })
  log.info({ port: server.port, healthPort: health.port }, 'Ready')
  return {
    port: server.port,
    healthPort: health.port,
    async stop() {
      await server.stop()
      rotation.stop()
      purge.stop()
      auditHead.stop()
      await changeFeed.stop()
      await close()
      await health.stop()
    },
  }
}
