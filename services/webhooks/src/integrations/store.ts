import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** What is deleted stays so, in whatever order its events come. $1 integrations, $2 merchants, $3 whether deleted */
export const keepIntegrations = statement({
  name: 'integrations.keep',
  text: `
    INSERT INTO integrations AS known (integration_id, merchant_id, deleted)
    SELECT id, max(merchant_id), bool_or(deleted)
    FROM unnest($1::text[], $2::text[], $3::boolean[]) AS told (id, merchant_id, deleted)
    GROUP BY id
    ON CONFLICT (integration_id) DO UPDATE SET deleted = known.deleted OR excluded.deleted`,
})

/** $1 integration */
export const findIntegration = statement({
  name: 'integrations.find',
  text: 'SELECT merchant_id, deleted FROM integrations WHERE integration_id = $1',
  row: z.object({ merchant_id: z.string(), deleted: z.boolean() }),
})
