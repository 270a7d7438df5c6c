import { metrics, newId, type ServiceContext } from '@causeway/chassis'
import { REFUND_DIFFERENCES } from '@causeway/contracts'
import type { FoundDifference } from './difference.ts'
import * as store from './differences-store.ts'

const gauge = metrics.gauge(
  'causeway_refund_differences',
  'Refunds on which the platform and a processor disagree and that nobody has closed',
  ['processor', 'kind'],
)

/** Keeps the differences that comparisons find: each is told once in the log, and counted until it is gone or closed. */
export const createDifferences = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>) => ({
  async keep(found: FoundDifference): Promise<void> {
    const { kind, processor, processorRefundId, partnerId, orderKey, refundId } = found
    const kept = await store.upsertDifference(db, {
      ...found,
      differenceId: newId('refundDifference'),
      here: found.here && JSON.stringify(found.here),
      atProcessor: found.atProcessor && JSON.stringify(found.atProcessor),
      now: clock.now(),
    })
    if (kept?.isNew)
      log.warn(
        { kind, processor, processorRefundId, refundId, orderKey, partnerId },
        'A refund and its processor disagree',
      )
  },

  /** The two sides agree on these now. */
  async resolve(processor: string, processorRefundIds: readonly string[]): Promise<void> {
    if (processorRefundIds.length === 0) return
    for (const gone of await store.deleteDifferences(db, { processor, processorRefundIds }))
      log.info(
        {
          differenceId: gone.id,
          processor,
          processorRefundId: gone.processorRefundId,
          refundId: gone.refundId,
        },
        'A refund and its processor agree again',
      )
  },

  /** Shows how many are open. Every replica shows the same, whichever compares. */
  async show(processors: Iterable<string>): Promise<void> {
    const open = await store.countOpen(db)
    for (const processor of processors)
      for (const kind of REFUND_DIFFERENCES) {
        const found = open.find((each) => each.processor === processor && each.kind === kind)
        gauge.set({ processor, kind }, found?.count ?? 0)
      }
  },
})
export type Differences = ReturnType<typeof createDifferences>
