/** `pnpm projections:rebuild onboarding`: emits the current state of every relationship (docs/OPERATIONS.md). */
import { runEmitStates } from '@causeway/chassis/database'
import { emitChange } from './changes.ts'
import { listAfter } from './store.ts'

await runEmitStates({
  service: 'onboarding',
  sources: {
    relationships: async (tx, { after, limit, now }) => {
      const page = await listAfter(tx, { after, limit })
      for (const relationship of page) emitChange(tx, null, relationship, now)
      return page.map(({ partnerCustomerId }) => partnerCustomerId)
    },
  },
})
