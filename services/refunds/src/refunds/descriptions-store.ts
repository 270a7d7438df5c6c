import { queryMany, queryNone } from '@causeway/chassis'
import { z } from 'zod'

/** Descriptions of refunds at their end that are not sealed yet. */
export const listUnsealed = queryMany({
  name: 'descriptions.unsealed',
  parameters: { limit: 'integer' },
  text: `
    SELECT id, description FROM refunds
    WHERE description IS NOT NULL AND state IN ('failed', 'reconciled') ORDER BY id LIMIT :limit`,
  row: z.object({ id: z.string(), description: z.string() }),
})

export const storeSealed = queryNone({
  name: 'descriptions.seal',
  parameters: { ids: 'text[]', sealed: 'text?[]' },
  text: `
    UPDATE refunds SET description = NULL, description_sealed = given.sealed
    FROM unnest(:ids, :sealed) AS given (id, sealed)
    WHERE refunds.id = given.id AND refunds.description IS NOT NULL`,
})
