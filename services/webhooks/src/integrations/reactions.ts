import { consume, type Db, type ServiceContext } from '@causeway/chassis'
import type { IntegrationState } from '@causeway/contracts'
import { upsertIntegrations } from './store.ts'

const BATCH = 256

/** Records which merchant each integration belongs to. */
export const recordIntegrations = async (db: Db, states: readonly IntegrationState[]): Promise<void> => {
  if (states.length === 0) return
  await upsertIntegrations(db, {
    integrationIds: states.map((state) => state.integration_id),
    merchantIds: states.map((state) => state.customer_id),
    deleted: states.map((state) => state.deleted),
  })
}

/** Projects every change of an integration; repeated and late events change nothing. */
export const followIntegrations = ({ bus, db, clock, log }: ServiceContext): { stop: () => Promise<void> } =>
  consume(bus, {
    service: 'webhooks',
    durable: 'webhooks-projection',
    batch: BATCH,
    db,
    clock,
    log,
    handle: (received) =>
      recordIntegrations(
        db,
        received.flatMap(({ event }) => (event.fact?.kind === 'integration' ? [event.fact.integration] : [])),
      ),
  })
