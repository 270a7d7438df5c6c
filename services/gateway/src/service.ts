import {
  createBlobs,
  createServiceClient,
  openBlobStore,
  startEdgeProcess,
  startStreamKeeper,
  type EdgeContext,
  type Running,
} from '@causeway/chassis'
import { FEED_WAITS_END_SUBJECT } from '@causeway/contracts'
import { createChanges } from './auth/changes.ts'
import { createSigningKeys } from './auth/signing-keys.ts'
import { createAccessClient } from './clients/access.ts'
import { createPortalPeople } from './clients/portal-people.ts'
import { createSessions } from './clients/sessions.ts'
import { createStaffActions } from './pipeline/staff-actions.ts'
import { createApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { createReadiness } from './http/readiness.ts'
import { startHttpServer } from './http/server.ts'

const NAME = 'gateway'
/** While it stops: requests that arrived last may begin to wait after the first nudge. */
const END_WAITS_EVERY_MS = 250

/** Creates what the folders of the edge share. */
const createContext = async (connections: EdgeContext, config: GatewayConfig): Promise<GatewayContext> => {
  const { bus, clock, log } = connections
  const { busTimeoutMs: timeoutMs } = config
  const ask = createServiceClient({ bus, clock, service: NAME, timeoutMs, timeoutFactor: 1 })
  const access = createAccessClient(ask)
  return {
    access,
    sessions: createSessions(ask),
    portalPeople: createPortalPeople(ask),
    changes: createChanges({ access, bus, log }),
    signingKeys: createSigningKeys({ access, log }),
    staffActions: createStaffActions(ask, log),
    bus,
    clock,
    log,
    blobs: createBlobs(await openBlobStore(config.blobs, { bus, clock })),
    getReadiness: createReadiness(connections),
  }
}

/** Serves the API and keeps the streams. Stopping waits for requests in flight first. */
const build = (config: GatewayConfig) => async (connections: EdgeContext) => {
  const { bus, log } = connections
  const context = await createContext(connections, config)
  const { eventBytes: events, documentBytes, replicas } = config
  const documents = config.blobs.kind === 'jetstream' ? documentBytes : null
  const keeper = await startStreamKeeper({ bus, log, bounds: { events, documents, replicas } })
  const app = createApp(context, config)
  await context.changes.start()
  const server = await startHttpServer({ ...config, ...app })
  log.info({ event: 'http.listening', port: server.port }, 'Listening')
  return {
    port: server.port,
    ready: async () => (await context.getReadiness()).ready,
    async stop() {
      const endWaits = () => bus.nudge(FEED_WAITS_END_SUBJECT)
      const timer = setInterval(endWaits, END_WAITS_EVERY_MS)
      endWaits()
      await server.stop().finally(() => clearInterval(timer))
      await context.changes.stop()
      await keeper.stop()
    },
  }
}

/** Starts the gateway. @returns its port too */
export const startGateway = async (config: GatewayConfig): Promise<Running & { port: number }> => {
  const { built, ...running } = await startEdgeProcess({ name: NAME, build: build(config) }, config)
  return { ...running, port: built.port }
}
