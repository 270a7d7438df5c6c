import { metrics, newId, type ServiceContext } from '@causeway/chassis'
import { REFUND_DIFFERENCES } from '@causeway/contracts'
import type { FoundDifference } from './difference.ts'
import * as store from './differences-store.ts'

const gauge = metrics.gauge(
  'causeway_refund_differences',
  'Open differences between the refunds of the platform and of a processor',
  ['processor', 'kind'],
)

/** Stores the differences that comparisons find. Each is logged once, and counted until it is resolved or closed. */
export const createDifferences = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>) => ({
  async upsert(found: FoundDifference): Promise<void> {
    const { kind, processor, processorRefundId, partnerId, orderKey, refundId } = found
    const upserted = await store.upsertDifference(db, {
      ...found,
      differenceId: newId('refundDifference'),
      here: found.here && JSON.stringify(found.here),
      atProcessor: found.atProcessor && JSON.stringify(found.atProcessor),
      now: clock.now(),
    })
    if (upserted?.isNew)
      log.warn(
        {
          event: 'reconciliation.difference_found',
          kind,
          processor,
          processorRefundId,
          refundId,
          orderKey,
          partnerId,
        },
        'Refund differs from its processor',
      )
  },

  /** Deletes the differences of refunds on which the two sides agree now. */
  async resolve(processor: string, processorRefundIds: readonly string[]): Promise<void> {
    if (processorRefundIds.length === 0) return
    for (const resolved of await store.deleteDifferences(db, { processor, processorRefundIds }))
      log.info(
        {
          event: 'reconciliation.difference_resolved',
          differenceId: resolved.id,
          processor,
          processorRefundId: resolved.processorRefundId,
          refundId: resolved.refundId,
        },
        'Refund agrees with its processor again',
      )
  },

  /** Exports how many are open. Every replica exports the same figures, whichever compares. */
  async updateGauge(processors: Iterable<string>): Promise<void> {
    const open = await store.countOpen(db)
    for (const processor of processors)
      for (const kind of REFUND_DIFFERENCES) {
        const found = open.find((each) => each.processor === processor && each.kind === kind)
        gauge.set({ processor, kind }, found?.count ?? 0)
      }
  },
})
export type Differences = ReturnType<typeof createDifferences>
