import { queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { NEXT_REVISION, WITHOUT_SECRETS } from '../destinations/store.ts'

/** Sets an integration's own URL. It keeps the secret that it has, and takes the given one where it had none. */
export const upsertIntegrationUrl = queryOne({
  name: 'integration-urls.set',
  parameters: {
    id: 'text',
    merchantId: 'text',
    integrationId: 'text',
    url: 'text',
    sealedSecret: 'text',
    now: 'timestamptz',
  },
  text: `
    WITH next AS (${NEXT_REVISION})
    INSERT INTO destinations AS d
      (id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision, created_at)
    SELECT :id, 'merchant', :merchantId, :integrationId, :url, '{}', :sealedSecret, next.revision, :now FROM next
    ON CONFLICT (id) DO UPDATE SET url = excluded.url, removed_at = NULL, revision = excluded.revision,
      secret_sealed = coalesce(d.secret_sealed, excluded.secret_sealed)
    RETURNING secret_sealed = :sealedSecret AS is_new_secret,
      CASE WHEN old.removed_at IS NULL THEN old.url END AS url_before`,
  row: z.object({ isNewSecret: z.boolean(), urlBefore: z.string().nullable() }),
})

export const clearIntegrationUrl = queryOne({
  name: 'integration-urls.clear',
  parameters: { id: 'text', merchantId: 'text', now: 'timestamptz' },
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET removed_at = :now, ${WITHOUT_SECRETS}, revision = next.revision
    FROM next
    WHERE channel = 'merchant' AND owner_id = :merchantId AND id = :id AND removed_at IS NULL
    RETURNING url AS url_before`,
  row: z.object({ urlBefore: z.string() }),
})
