import { consume, type ServiceContext } from '@causeway/chassis'
import type { RecordExternalRefund } from './external-refund.ts'

const BATCH = 64

/**
 * Follows the refunds that payments counts in its orders: those made outside the API become records within moments.
 * What is missed here is found by the comparison with the processors.
 */
export const followCountedRefunds = (
  { bus, db, clock, log }: ServiceContext,
  record: RecordExternalRefund,
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
          await record(event.fact.refund)
    },
  })
