import {
  createBlobs,
  createServiceClient,
  openBlobStore,
  relay,
  startProcess,
  startStreamKeeper,
  withVault,
  type LocalRelay,
  type ProcessContext,
  type Running,
  type Send,
  type Vault,
} from '@causeway/chassis'
import { buildAccess, MIGRATIONS, VAULT_USE } from '@causeway/access/service'
import { createChanges } from './auth/changes.ts'
import { createSigningKeys } from './auth/signing-keys.ts'
import { createAccessClient } from './clients/access.ts'
import { createSessions } from './clients/sessions.ts'
import { createStaffActions } from './pipeline/staff-actions.ts'
import { createApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { createReadiness } from './http/readiness.ts'
import { startHttpServer } from './http/server.ts'

const NAME = 'gateway'

type Connections = ProcessContext & Readonly<{ vault: Vault }>

/** Creates what the folders of the edge share. */
const createContext = async (
  connections: Connections,
  local: LocalRelay,
  config: GatewayConfig,
): Promise<GatewayContext> => {
  const { bus, clock, log } = connections
  const send: Send = (subject, request) =>
    local.serves(subject) ? local.relay(subject, request) : relay(bus, clock, subject, request)
  const { busTimeoutMs: timeoutMs } = config
  const ask = createServiceClient({ bus, clock, service: NAME, send, timeoutMs, timeoutFactor: 1 })
  const access = createAccessClient(ask)
  return {
    access,
    sessions: createSessions(ask),
    changes: createChanges({ access, bus, log }),
    signingKeys: createSigningKeys({ access, log }),
    staffActions: createStaffActions(ask, log),
    send,
    bus,
    clock,
    log,
    blobs: createBlobs(await openBlobStore(config.blobs, { bus, clock })),
    getReadiness: createReadiness(connections),
  }
}

/** Serves the API and starts the jobs. Stopping waits for requests in flight first. */
const build = (config: GatewayConfig) => async (connections: Connections) => {
  const { bus, log } = connections
  const { local, start: startAccess } = buildAccess(connections, config)
  const context = await createContext(connections, local, config)
  const { eventBytes: events, documentBytes, replicas } = config
  const documents = config.blobs.kind === 'jetstream' ? documentBytes : null
  const keeper = await startStreamKeeper({ bus, log, bounds: { events, documents, replicas } })
  const app = createApp(context, config)
  const stopAccess = await startAccess()
  await context.changes.start()
  const server = await startHttpServer({ ...config, ...app })
  log.info({ event: 'http.listening', port: server.port }, 'Listening')
  return {
    port: server.port,
    ready: async () => (await context.getReadiness()).ready,
    async stop() {
      await server.stop()
      await context.changes.stop()
      await stopAccess()
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
