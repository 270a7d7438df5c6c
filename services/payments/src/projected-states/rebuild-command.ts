/**
 * `pnpm projections:rebuild payments`: emits the current state of every integration, and of every merchant's disputes
 * (docs/OPERATIONS.md).
 */
import { newIdAt } from '@causeway/chassis'
import { runEmitStates } from '@causeway/chassis/database'
import { disputeThresholdStatusChanged } from '../disputes/events.ts'
import { listStandingsAfter } from '../disputes/threshold-store.ts'
import { integrationChanged } from '../integrations/domain.ts'
import { listAfter } from '../integrations/store.ts'

await runEmitStates({
  service: 'payments',
  sources: {
    integrations: async (tx, { after, limit, now }) => {
      const page = await listAfter(tx, { after, limit })
      for (const { deleted, ...record } of page)
        tx.emit(integrationChanged(record, { eventId: newIdAt('event', now.getTime()), deleted, now }))
      return page.map(({ id }) => id)
    },
    disputes: async (tx, { after, limit, now }) => {
      const page = await listStandingsAfter(tx, { after, limit })
      for (const status of page) tx.emit(disputeThresholdStatusChanged(status, now))
      return page.map(({ merchantId }) => merchantId)
    },
  },
})
