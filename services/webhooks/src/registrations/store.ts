import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { NEXT_REVISION } from '../destinations/revision-store.ts'

const SHOWN = 'id, url, integration_id, created_at, secret_sealed IS NOT NULL AS has_secret'
/** Not the integrations' own URLs, which are destinations of the merchant as well. */
const REGISTERED = `channel = 'merchant' AND owner_id = $1 AND removed_at IS NULL AND id LIKE 'whk\\_%'`

/** A merchant's registration as it is shown. */
export const RegistrationRow = z.object({
  id: z.string(),
  url: z.string(),
  integration_id: z.string().nullable(),
  created_at: z.date(),
  has_secret: z.boolean(),
})
export type RegistrationRow = z.infer<typeof RegistrationRow>

/** Oldest first. $1 merchant, $2 after this id, $3 limit */
export const listRegistrations = statement({
  name: 'registrations.list',
  text: `SELECT ${SHOWN} FROM destinations WHERE ${REGISTERED} AND id > $2 ORDER BY id LIMIT $3`,
  row: RegistrationRow,
})

/** No row: the merchant holds as many as it may. $1 merchant, $2 id, $3 integration or null, $4 url, $5 sealed secret, $6 now, $7 most */
export const insertRegistration = statement({
  name: 'registrations.insert',
  text: `
    WITH next AS (${NEXT_REVISION})
    INSERT INTO destinations
      (id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision, created_at)
    SELECT $2, 'merchant', $1, $3, $4, '{}', $5, next.revision, $6 FROM next
    WHERE (SELECT count(*) FROM destinations WHERE ${REGISTERED}) < $7
    RETURNING ${SHOWN}`,
  row: RegistrationRow,
})

/** $1 merchant, $2 id, $3 url or null for unchanged, $4 whether the binding changes, $5 integration or null */
export const updateRegistration = statement({
  name: 'registrations.update',
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET url = coalesce($3, url), revision = next.revision,
      integration_id = CASE WHEN $4::boolean THEN $5 ELSE integration_id END
    FROM next
    WHERE ${REGISTERED} AND id = $2
    RETURNING ${SHOWN}`,
  row: RegistrationRow,
})

/** With the sealed secret, to send by. $1 merchant, $2 id */
export const readRegistration = statement({
  name: 'registrations.read',
  text: `SELECT id, url, secret_sealed FROM destinations WHERE ${REGISTERED} AND id = $2`,
  row: z.object({ id: z.string(), url: z.string(), secret_sealed: z.string() }),
})

/**
 * Sets an integration's own URL. It keeps the secret that it has, and takes the given one where it had none.
 * $1 id, $2 merchant, $3 integration, $4 url, $5 sealed secret, $6 now
 */
export const setIntegrationUrl = statement({
  name: 'integration-urls.set',
  text: `
    WITH next AS (${NEXT_REVISION})
    INSERT INTO destinations AS d
      (id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision, created_at)
    SELECT $1, 'merchant', $2, $3, $4, '{}', $5, next.revision, $6 FROM next
    ON CONFLICT (id) DO UPDATE SET url = excluded.url, removed_at = NULL, revision = excluded.revision,
      secret_sealed = coalesce(d.secret_sealed, excluded.secret_sealed)
    RETURNING secret_sealed = $5 AS "isNewSecret",
      CASE WHEN old.removed_at IS NULL THEN old.url END AS "urlBefore"`,
  row: z.object({ isNewSecret: z.boolean(), urlBefore: z.string().nullable() }),
})

/** $1 id, $2 merchant, $3 now */
export const clearIntegrationUrl = statement({
  name: 'integration-urls.clear',
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET removed_at = $3, secret_sealed = NULL, revision = next.revision
    FROM next
    WHERE channel = 'merchant' AND owner_id = $2 AND id = $1 AND removed_at IS NULL
    RETURNING url AS "urlBefore"`,
  row: z.object({ urlBefore: z.string() }),
})
