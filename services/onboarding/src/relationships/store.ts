import { queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Stores when a relationship ended; no row for one whose data is erased, because it cannot begin again. */
export const updateEnd = queryOne({
  name: 'personal-data.set-end',
  parameters: { partnerCustomerId: 'text', endedAt: 'timestamptz?' },
  text: `
    UPDATE relationships SET ended_at = :endedAt WHERE id = :partnerCustomerId AND erased_at IS NULL
    RETURNING id`,
  row: z.object({ id: z.string() }),
})
