import { consume, type ServiceContext } from '@causeway/chassis'
import { relationshipOf } from '@causeway/contracts'
import { upsertRelationships } from './store.ts'

const BATCH = 256

/**
 * Projects every change of a relationship. Repeated and overtaken events change nothing, because only a newer version
 * is stored.
 */
export const followRelationships = ({ bus, db, clock, log }: ServiceContext): { stop: () => Promise<void> } =>
  consume(bus, {
    service: 'payments',
    durable: 'payments-projection',
    batch: BATCH,
    db,
    clock,
    log,
    handle: (events) =>
      upsertRelationships(
        db,
        events.flatMap(({ event }) => relationshipOf(event) ?? []),
      ),
  })
