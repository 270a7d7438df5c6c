import {
  createBlobs,
  createCursors,
  createServiceClient,
  openBlobStore,
  startProcess,
  startStreamKeeper,
  withVault,
  type ProcessContext,
  type Running,
  type Vault,
} from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { startAuditHead } from './audit/jobs/publish-head.ts'
import { createChangeFeed } from './change-feed/change-feed.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { createReadiness } from './http/readiness.ts'
import { startHttpServer } from './http/server.ts'
import { startCredentialPurge } from './oauth/jobs/purge.ts'
import { startSendingDisabledPartners } from './partners/jobs/send-disabled.ts'
import { VAULT_USE } from './sealed-columns.ts'
import { createKeyring } from './signing-keys/keyring.ts'
import { startKeyRotation } from './signing-keys/jobs/rotation.ts'

const NAME = 'gateway'
/** Of requests that the gateway sends for itself; a lost one is soon repeated. */
const ASK_TIMEOUT_MS = 1_000
/** Folder of the gateway's SQL migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

type Connections = ProcessContext & Readonly<{ vault: Vault }>

/** Creates what the gateway's folders share. */
const createContext = async (connections: Connections, config: GatewayConfig): Promise<GatewayContext> => {
  const { bus, clock, vault } = connections
  const { tokenTtlMs, rotateKeysAfterMs: rotateAfterMs } = config
  return {
    ...connections,
    blobs: createBlobs(await openBlobStore(config.blobs, { bus, clock })),
    cursors: createCursors(vault),
    keyring: createKeyring({ ...connections, tokenTtlMs, rotateAfterMs }),
    changeFeed: createChangeFeed(connections),
    getReadiness: createReadiness(connections),
  }
}

/** Serves the API and starts the jobs. Stopping waits for requests in flight first. */
const build = (config: GatewayConfig) => async (connections: Connections) => {
  const { bus, log } = connections
  const context = await createContext(connections, config)
  const { eventBytes: events, documentBytes, replicas } = config
  const documents = config.blobs.kind === 'jetstream' ? documentBytes : null
  const keeper = await startStreamKeeper({ bus, log, bounds: { events, documents, replicas } })
  const { keyring, changeFeed, getReadiness } = context
  const app = createApp(context, config)
  await changeFeed.start()
  await keyring.rotate()
  await keyring.load()
  const ask = createServiceClient({ ...connections, service: NAME, timeoutMs: ASK_TIMEOUT_MS })
  const jobs = [startKeyRotation(context), startCredentialPurge(context, config), startAuditHead(context)]
  const disabledPartners = startSendingDisabledPartners({ ...context, ask })
  const server = await startHttpServer({ ...config, ...app })
  log.info({ event: 'http.listening', port: server.port }, 'Listening')
  return {
    port: server.port,
    ready: async () => (await getReadiness()).ready,
    async stop() {
      await server.stop()
      for (const job of jobs) job.stop()
      await disabledPartners.stop()
      await changeFeed.stop()
      await keeper.stop()
    },
  }
}

/** Starts the gateway. @returns its port too */
export const startGateway = async (config: GatewayConfig): Promise<Running & { port: number }> => {
  const { built, ...running } = await startProcess(
    { name: NAME, migrations: MIGRATIONS, build: withVault(VAULT_USE, config, build(config)) },
    config,
  )
  return { ...running, port: built.port }
}
