import { consume, type ServiceContext } from '@causeway/chassis'
import type { RecordExternalRefund } from './external-refund.ts'
import type { LateFailures } from './late-failure.ts'

const BATCH = 64

/**
 * Consumes the events of refunds that payments counts in its orders, or counts no more: those made outside the API are
 * recorded, and those that failed late end, within moments. Reconciliation finds what is missed here.
 */
export const consumeCountedRefunds = (
  { bus, db, clock, log }: ServiceContext,
  recordExternal: RecordExternalRefund,
  lateFailures: Pick<LateFailures, 'recordUncounted'>,
): { stop: () => Promise<void> } =>
  consume(bus, {
    service: 'refunds',
    durable: 'refunds-counted',
    batch: BATCH,
    db,
    clock,
    log,
    handle: async (events) => {
      for (const { event } of events) {
        if (event.fact?.kind !== 'refund') continue
        const { refund } = event.fact
        if (refund.has_failed === true)
          await lateFailures.recordUncounted(refund.processor, refund.processor_refund_id)
        else if (refund.refund_id === null) await recordExternal(refund)
      }
    },
  })
