import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { NEXT_REVISION } from './revision-store.ts'

/** A destination as it is shown: never with its secret. */
export const DestinationRow = z.object({
  id: z.string(),
  url: z.string(),
  event_types: z.array(z.string()),
  created_at: z.date(),
})
export type DestinationRow = z.infer<typeof DestinationRow>

/** With what a change found, for the audit log. */
const ChangedRow = DestinationRow.extend({ url_before: z.string(), event_types_before: z.array(z.string()) })

const SHOWN = 'id, url, event_types, created_at'

/** $1 id, $2 channel, $3 owner, $4 integration or null, $5 url, $6 event types, $7 sealed secret, $8 now */
export const insertDestination = statement({
  name: 'destinations.insert',
  text: `
    WITH next AS (${NEXT_REVISION})
    INSERT INTO destinations
      (id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision, created_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, next.revision, $8 FROM next
    RETURNING ${SHOWN}`,
  row: DestinationRow,
})

/** $1 channel, $2 owner, $3 after this id, $4 limit */
export const listDestinations = statement({
  name: 'destinations.list',
  text: `
    SELECT ${SHOWN} FROM destinations
    WHERE channel = $1 AND owner_id = $2 AND removed_at IS NULL AND id > $3
    ORDER BY id LIMIT $4`,
  row: DestinationRow,
})

/** $1 channel, $2 owner, $3 id, $4 url or null for unchanged, $5 event types or null for unchanged */
export const updateDestination = statement({
  name: 'destinations.update',
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET
      url = coalesce($4, url), event_types = coalesce($5::text[], event_types), revision = next.revision
    FROM next
    WHERE channel = $1 AND owner_id = $2 AND id = $3 AND removed_at IS NULL
    RETURNING ${SHOWN}, old.url AS url_before, old.event_types AS event_types_before`,
  row: ChangedRow,
})

/** $1 channel, $2 owner, $3 id, $4 sealed secret */
export const replaceSecret = statement({
  name: 'destinations.replace-secret',
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET secret_sealed = $4, revision = next.revision
    FROM next
    WHERE channel = $1 AND owner_id = $2 AND id = $3 AND removed_at IS NULL
    RETURNING ${SHOWN}`,
  row: DestinationRow,
})

/** Forgets the secret at once; the rows follow in the background. $1 channel, $2 owner, $3 id, $4 now */
export const removeDestination = statement({
  name: 'destinations.remove',
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET removed_at = $4, secret_sealed = NULL, revision = next.revision
    FROM next
    WHERE channel = $1 AND owner_id = $2 AND id = $3 AND removed_at IS NULL
    RETURNING ${SHOWN}`,
  row: DestinationRow,
})

/** $1 channel, $2 owner, $3 id */
export const findDestination = statement({
  name: 'destinations.find',
  text: `
    SELECT ${SHOWN} FROM destinations
    WHERE channel = $1 AND owner_id = $2 AND id = $3 AND removed_at IS NULL`,
  row: DestinationRow,
})

export const ChangedDestination = z.object({
  id: z.string(),
  channel: z.enum(['partner', 'merchant']),
  owner_id: z.string(),
  integration_id: z.string().nullable(),
  url: z.string(),
  event_types: z.array(z.string()),
  /** Null once it is removed. */
  secret_sealed: z.string().nullable(),
  revision: z.number(),
})
export type ChangedDestination = z.infer<typeof ChangedDestination>

/** What changed after a revision, removals included, in order. $1 revision */
export const changedDestinations = statement({
  name: 'destinations.changed',
  text: `
    SELECT id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision
    FROM destinations WHERE revision > $1 ORDER BY revision`,
  row: ChangedDestination,
})

/**
 * Deletes some of what removed destinations left behind, attempts included.
 * $1 how many deliveries at most
 */
export const purgeDeliveries = statement({
  name: 'destinations.purge-deliveries',
  text: `
    WITH doomed AS (
      SELECT d.destination_id, d.id FROM destinations r
      JOIN deliveries d ON d.destination_id = r.id
      WHERE r.removed_at IS NOT NULL
      LIMIT $1
    ), gone AS (
      DELETE FROM deliveries d USING doomed
      WHERE d.destination_id = doomed.destination_id AND d.id = doomed.id
      RETURNING d.id
    ), attempts_gone AS (
      DELETE FROM attempts a USING gone WHERE a.delivery_id = gone.id
    )
    SELECT count(*)::integer AS deleted FROM gone`,
  row: z.object({ deleted: z.number() }),
})

/**
 * Deletes removed destinations that nothing refers to. Their revision must have been seen by every replica:
 * hence the wait. $1 removed before
 */
export const purgeDestinations = statement({
  name: 'destinations.purge',
  text: `
    DELETE FROM destinations r WHERE removed_at < $1
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.destination_id = r.id)`,
})
