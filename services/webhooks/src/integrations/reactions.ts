import { consume, type Db, type ServiceContext } from '@causeway/chassis'
import type { IntegrationState } from '@causeway/contracts'
import { keepIntegrations } from './store.ts'

const BATCH = 256

/** Writes down whose integrations are. */
export const keep = async (db: Db, states: readonly IntegrationState[]): Promise<void> => {
  if (states.length === 0) return
  await db.query(keepIntegrations, [
    states.map((state) => state.integration_id),
    states.map((state) => state.customer_id),
    states.map((state) => state.deleted),
  ])
}

/** Follows every change of an integration; repeated and overtaken events change nothing. */
export const followIntegrations = ({ bus, db, clock, log }: ServiceContext): { stop: () => Promise<void> } =>
  consume(bus, {
    service: 'webhooks',
    durable: 'webhooks-projection',
    batch: BATCH,
    db,
    clock,
    log,
    handle: (received) =>
      keep(
        db,
        received.flatMap(({ event }) => (event.fact?.kind === 'integration' ? [event.fact.integration] : [])),
      ),
  })
