import { consumesEvents, FACT_SOURCES, healthOf, type ServiceName } from '@causeway/contracts'
import { createEventSeals } from './bus/event-seals.ts'
import { implement, type Implementation } from './bus/implement.ts'
import { serve } from './bus/serve.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db/db.ts'
import { startBacklogGauges } from './backlog-gauges.ts'
import { startLogArchiveGauges } from './log-archive-gauges.ts'
import { startHousekeeping } from './housekeeping.ts'
import type { VaultUse } from './keys/ring.ts'
import type { Running } from './process-parts.ts'
import { startRelay } from './outbox/relay.ts'
import { factRecordOperations } from './ledger-facts/operations.ts'
import { continueSequences } from './outbox/continue-sequences.ts'
import { refuse, reply } from './outcome.ts'
import { parkedEventOperations } from './parked-events.ts'
import { isServiceReady } from './readiness.ts'
import {
  startProcess,
  withVault,
  type ProcessContext,
  type SealingConfig,
  type ServiceConfig,
} from './process.ts'
import type { KeylessServiceContext, ServiceContext } from './service-context.ts'

type ServiceOptions<C> = Readonly<{
  name: ServiceName
  /** Folder of the service's SQL migrations. */
  migrations: string
  /** Builds the service's operations and starts its background work. */
  build: (context: C) => Promise<{ operations: readonly Implementation[]; stop: () => Promise<void> }>
}>

const health = (service: ServiceName, db: Db, clock: Clock): Implementation[] =>
  implement(healthOf(service), {
    check: () =>
      db.ping().then(
        () => reply({ ready: true as const, at: new Date(clock.outsideMs()).toISOString() }),
        () => refuse('temporarily_unavailable'),
      ),
  })

/** Serves a service's operations, relays its outbox and runs housekeeping, on the connections of its process. */
const serveOperations =
  <C extends ProcessContext>(
    { name, build }: Pick<ServiceOptions<C & KeylessServiceContext>, 'name' | 'build'>,
    { checkReplies = false }: ServiceConfig,
  ) =>
  async (connections: C) => {
    const { bus, busKeys, clock, db, log } = connections
    const context = { ...connections, service: name, eventSeals: createEventSeals(busKeys) }
    await continueSequences(context, log)
    const relay = startRelay(context)
    const housekeeping = startHousekeeping(context)
    const gauges = [startBacklogGauges(context), startLogArchiveGauges(context)]
    const { operations, stop } = await build(context)
    const parked = consumesEvents(name) ? parkedEventOperations({ ...context, service: name }) : []
    const isFactSource = (FACT_SOURCES as readonly ServiceName[]).includes(name)
    const facts = isFactSource ? factRecordOperations(context) : []
    serve(bus, [...operations, ...parked, ...facts, ...health(name, db, clock)], {
      service: name,
      keys: busKeys,
      clock,
      log,
      checkReplies,
    })
    await bus.connection.flush()
    return {
      ready: () => isServiceReady(context),
      async stop() {
        await bus.drainRequests()
        await stop()
        await housekeeping.stop()
        await Promise.all(gauges.map((each) => each.stop()))
        await relay.stop()
      },
    }
  }

/** Starts a service that encrypts nothing: its process, its operations and its outbox relay. */
export const startKeylessService = (
  options: ServiceOptions<KeylessServiceContext>,
  config: ServiceConfig,
): Promise<Running> => startProcess({ ...options, build: serveOperations(options, config) }, config)

/** Starts a service that encrypts what it stores: as above, with its key ring opened. */
export const startService = (
  options: ServiceOptions<ServiceContext> & Readonly<{ keys: VaultUse }>,
  config: SealingConfig,
): Promise<Running> => {
  const serving = serveOperations<ProcessContext & Pick<ServiceContext, 'vault'>>(options, config)
  const build = withVault(options.keys, config, serving)
  return startProcess({ ...options, build }, config)
}
