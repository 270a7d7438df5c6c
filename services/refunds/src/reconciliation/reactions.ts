import { consume, type ServiceContext } from '@causeway/chassis'
import type { RecordExternalRefund } from './external-refund.ts'

const BATCH = 64

/**
 * Consumes the events of refunds that payments counts in its orders: those made outside the API are recorded within
 * moments. Reconciliation finds what is missed here.
 */
export const consumeCountedRefunds = (
  { bus, db, clock, log }: ServiceContext,
  recordExternal: RecordExternalRefund,
): { stop: () => Promise<void> } =>
  consume(bus, {
    service: 'refunds',
    durable: 'refunds-counted',
    batch: BATCH,
    db,
    clock,
    log,
    handle: async (events) => {
      for (const { event } of events)
        if (event.fact?.kind === 'refund' && event.fact.refund.refund_id === null)
          await recordExternal(event.fact.refund)
    },
  })
