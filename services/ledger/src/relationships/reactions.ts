import { consume, type KeylessServiceContext } from '@causeway/chassis'
import { relationshipOf } from '@causeway/contracts'
import { upsertRelationships } from './store.ts'

const BATCH = 256

/** Projects every change of a relationship. Repeated and overtaken events change nothing. */
export const followRelationships = ({
  bus,
  db,
  clock,
  log,
}: KeylessServiceContext): Readonly<{ stop: () => Promise<void> }> =>
  consume(bus, {
    service: 'ledger',
    durable: 'ledger-projection',
    batch: BATCH,
    db,
    clock,
    log,
    handle: (events) =>
      upsertRelationships(
        db,
        events.flatMap(({ event }) => relationshipOf(event) ?? []),
        clock.now(),
      ),
  })
