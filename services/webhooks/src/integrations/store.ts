import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Records integrations and their owners. A deleted one stays deleted, in whatever order its events arrive. */
export const upsertIntegrations = queryNone({
  name: 'integrations.keep',
  parameters: { integrationIds: 'text[]', merchantIds: 'text[]', deleted: 'boolean[]' },
  text: `
    INSERT INTO integrations AS known (integration_id, merchant_id, deleted)
    SELECT id, max(merchant_id), bool_or(deleted)
    FROM unnest(:integrationIds, :merchantIds, :deleted) AS given (id, merchant_id, deleted)
    GROUP BY id
    ON CONFLICT (integration_id) DO UPDATE SET deleted = known.deleted OR excluded.deleted`,
})

export const findIntegration = queryOne({
  name: 'integrations.find',
  parameters: { integrationId: 'text' },
  text: 'SELECT merchant_id, deleted FROM integrations WHERE integration_id = :integrationId',
  row: z.object({ merchantId: z.string(), deleted: z.boolean() }),
})
