import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { OPT_IN_EVENT_TYPES } from '@causeway/contracts'
import { z } from 'zod'
import { TEST_EVENT } from './domain.ts'

/** Takes the next revision, and the lock that orders changes of destinations; part of every such statement. */
export const NEXT_REVISION = 'UPDATE destination_revision SET revision = revision + 1 RETURNING revision'

/** SQL: types that an empty list of event types does not include. */
const OPT_IN = `'{${OPT_IN_EVENT_TYPES.join(',')}}'`

/**
 * SQL: whether the row `destination` takes the event `e` by its present settings. The fast path decides the same in
 * memory (`matches` in engine/fast-path/fan-out.ts). A test call is for the one destination that it was sent to.
 */
export const MATCHES_DESTINATION = `
  e.type <> '${TEST_EVENT}' AND (e.type = ANY (destination.event_types) OR destination.event_types = '{}' AND e.type <> ALL (${OPT_IN}))
  AND (destination.integration_id IS NULL OR destination.integration_id IS NOT DISTINCT FROM e.integration_id)`

/** SQL: whether no attempt begins at the row `destination`: it is disabled, or its partner is (decisions §46). */
export const IS_DISABLED = `(destination.disabled_at IS NOT NULL
  OR EXISTS (SELECT FROM disabled_partners p WHERE p.partner_id = destination.owner_id))`

/** SQL: ends the overlap of a rotation where `:endsOverlap`; the former secret is deleted immediately. */
export const ENDS_OVERLAP = `
  former_secret_sealed = CASE WHEN NOT :endsOverlap THEN former_secret_sealed END,
  former_secret_until = CASE WHEN NOT :endsOverlap THEN former_secret_until END`

/** SQL: disables or enables where `:status` says so; what is disabled already keeps its time. */
export const SETS_STATUS = `
  disabled_at = CASE :status WHEN 'active' THEN NULL WHEN 'disabled' THEN coalesce(disabled_at, :now)
    ELSE disabled_at END`

/** SQL: columns that a deletion clears immediately. */
export const WITHOUT_SECRETS = 'secret_sealed = NULL, former_secret_sealed = NULL, former_secret_until = NULL'

/** A destination as it is shown, without its secret. */
export const DestinationRow = z.object({
  id: z.string(),
  url: z.string(),
  eventTypes: z.array(z.string()),
  createdAt: z.date(),
  formerSecretUntil: z.date().nullable(),
  disabledAt: z.date().nullable(),
})
export type DestinationRow = z.infer<typeof DestinationRow>

const SHOWN = 'id, url, event_types, created_at, former_secret_until, disabled_at'
const OWNED = 'channel = :channel AND owner_id = :ownerId AND removed_at IS NULL'
const owned = { channel: 'text', ownerId: 'text' } as const

/**
 * Takes the lock that orders changes of destinations, ahead of a statement that counts them: a statement that waits for
 * the lock itself counts those of the time at which it began.
 */
export const lockDestinations = queryOne({
  name: 'destinations.lock',
  parameters: {},
  text: 'SELECT revision FROM destination_revision FOR UPDATE',
  row: z.object({ revision: z.number() }),
})

/** Null where the owner has `limit` destinations already; {@link lockDestinations} comes first. */
export const insertDestination = queryOne({
  name: 'destinations.insert',
  parameters: {
    id: 'text',
    channel: 'text',
    ownerId: 'text',
    integrationId: 'text?',
    url: 'text',
    eventTypes: 'text[]',
    sealedSecret: 'text',
    now: 'timestamptz',
    limit: 'integer',
  },
  text: `
    WITH next AS (${NEXT_REVISION})
    INSERT INTO destinations
      (id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision, created_at)
    SELECT :id, :channel, :ownerId, :integrationId, :url, :eventTypes, :sealedSecret, next.revision, :now FROM next
    WHERE (SELECT count(*) FROM destinations WHERE ${OWNED}) < :limit
    RETURNING ${SHOWN}`,
  row: DestinationRow,
})

/** Oldest first. */
export const listDestinations = queryMany({
  name: 'destinations.list',
  parameters: { ...owned, afterId: 'text', limit: 'integer' },
  text: `SELECT ${SHOWN} FROM destinations WHERE ${OWNED} AND id > :afterId ORDER BY id LIMIT :limit`,
  row: DestinationRow,
})

/**
 * Null leaves the URL or the types as they are. @param expectedUrl changes nothing if the URL is another one; null: any.
 * The row also has the values before the change, for the audit log.
 */
export const updateDestination = queryOne({
  name: 'destinations.update',
  parameters: {
    ...owned,
    id: 'text',
    url: 'text?',
    eventTypes: 'text[]?',
    endsOverlap: 'boolean',
    status: 'text?',
    expectedUrl: 'text?',
    now: 'timestamptz',
  },
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET
      url = coalesce(:url, url), event_types = coalesce(:eventTypes, event_types), ${ENDS_OVERLAP},
      ${SETS_STATUS}, revision = next.revision
    FROM next
    WHERE ${OWNED} AND id = :id AND (:expectedUrl IS NULL OR url = :expectedUrl)
    RETURNING ${SHOWN}, old.url AS url_before, old.event_types AS event_types_before,
      old.former_secret_until AS former_secret_until_before, old.disabled_at AS disabled_at_before`,
  row: DestinationRow.extend({
    urlBefore: z.string(),
    eventTypesBefore: z.array(z.string()),
    formerSecretUntilBefore: z.date().nullable(),
    disabledAtBefore: z.date().nullable(),
  }),
})

/**
 * Sets a new secret. @param formerUntil how long the one before it signs too; null: no longer. During an overlap that
 * is the one which receivers know for certain, not the one that was new last.
 */
export const replaceSecret = queryOne({
  name: 'destinations.replace-secret',
  parameters: { ...owned, id: 'text', sealedSecret: 'text', formerUntil: 'timestamptz?', now: 'timestamptz' },
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET secret_sealed = :sealedSecret, revision = next.revision,
      former_secret_until = :formerUntil,
      former_secret_sealed = CASE
        WHEN :formerUntil IS NULL THEN NULL
        WHEN former_secret_until > :now THEN former_secret_sealed
        ELSE secret_sealed END
    FROM next
    WHERE ${OWNED} AND id = :id
    RETURNING ${SHOWN}`,
  row: DestinationRow,
})

/** Deletes the secret immediately; the rows are purged in the background. */
export const deleteDestination = queryOne({
  name: 'destinations.remove',
  parameters: { ...owned, id: 'text', now: 'timestamptz' },
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET removed_at = :now, ${WITHOUT_SECRETS}, revision = next.revision
    FROM next
    WHERE ${OWNED} AND id = :id
    RETURNING ${SHOWN}`,
  row: DestinationRow,
})

/** The columns that sign. */
export const SECRETS = 'secret_sealed, former_secret_sealed, former_secret_until'

/** Columns of a destination for a test call. */
export const SampledDestination = z.object({
  id: z.string(),
  url: z.string(),
  secretSealed: z.string(),
  formerSecretSealed: z.string().nullable(),
  formerSecretUntil: z.date().nullable(),
})
export type SampledDestination = z.infer<typeof SampledDestination>

/** With the sealed secrets, to send by. */
export const findSampledDestination = queryOne({
  name: 'destinations.read',
  parameters: { ...owned, id: 'text' },
  text: `SELECT id, url, ${SECRETS} FROM destinations WHERE ${OWNED} AND id = :id`,
  row: SampledDestination,
})

export const findDestination = queryOne({
  name: 'destinations.find',
  parameters: { ...owned, id: 'text' },
  text: `SELECT ${SHOWN} FROM destinations WHERE ${OWNED} AND id = :id`,
  row: DestinationRow,
})

/** Maximum duplicate destinations that are listed. */
const TOLD_DUPLICATES = 100

/** Other active destinations of the same URL that take some of the same events: those arrive once for each. */
export const listDuplicates = queryMany({
  name: 'destinations.duplicates',
  parameters: { ...owned, id: 'text' },
  text: `
    SELECT other.id
    FROM (SELECT * FROM destinations WHERE ${OWNED} AND id = :id) AS own
    JOIN (SELECT * FROM destinations WHERE ${OWNED} AND disabled_at IS NULL) AS other ON other.id <> own.id AND other.url = own.url
      AND (own.integration_id IS NULL OR other.integration_id IS NULL OR own.integration_id = other.integration_id)
      AND (own.event_types && other.event_types OR own.event_types = '{}' AND other.event_types = '{}'
        OR own.event_types = '{}' AND NOT other.event_types <@ ${OPT_IN}
        OR other.event_types = '{}' AND NOT own.event_types <@ ${OPT_IN})
    ORDER BY other.id LIMIT ${TOLD_DUPLICATES}`,
  row: z.object({ id: z.string() }),
})

const ChangedDestination = z.object({
  id: z.string(),
  channel: z.enum(['partner', 'merchant']),
  ownerId: z.string(),
  integrationId: z.string().nullable(),
  url: z.string(),
  eventTypes: z.array(z.string()),
  /** Null once it is deleted. */
  secretSealed: z.string().nullable(),
  formerSecretSealed: z.string().nullable(),
  formerSecretUntil: z.date().nullable(),
  isDisabled: z.boolean(),
  revision: z.number(),
})
export type ChangedDestination = z.infer<typeof ChangedDestination>

/** Lists the changes after a revision in order, including deletions. */
export const listChangedDestinations = queryMany({
  name: 'destinations.changed',
  parameters: { revision: 'bigint' },
  text: `
    SELECT id, channel, owner_id, integration_id, url, event_types, secret_sealed, former_secret_sealed,
      former_secret_until, ${IS_DISABLED} AS is_disabled, revision
    FROM destinations destination WHERE revision > :revision ORDER BY revision`,
  row: ChangedDestination,
})

/** Deletes former secrets that do not sign any more. No revision: replicas know since the rotation when they end. */
export const purgeFormerSecrets = queryNone({
  name: 'destinations.purge-former-secrets',
  parameters: { now: 'timestamptz' },
  text: `
    UPDATE destinations SET former_secret_sealed = NULL, former_secret_until = NULL
    WHERE former_secret_until <= :now`,
})

/** Purges some deliveries of deleted destinations, with their attempts. */
export const purgeDeliveries = queryNone({
  name: 'destinations.purge-deliveries',
  parameters: { limit: 'integer' },
  text: `
    WITH expired AS (
      SELECT d.destination_id, d.id FROM destinations r
      JOIN deliveries d ON d.destination_id = r.id
      WHERE r.removed_at IS NOT NULL
      LIMIT :limit
    ), deleted AS (
      DELETE FROM deliveries d USING expired
      WHERE d.destination_id = expired.destination_id AND d.id = expired.id
      RETURNING d.id
    )
    DELETE FROM attempts a USING deleted WHERE a.delivery_id = deleted.id`,
})

/** Purges deleted destinations without deliveries, so long after that every replica has seen their revision. */
export const purgeDestinations = queryNone({
  name: 'destinations.purge',
  parameters: { deletedBefore: 'timestamptz' },
  text: `
    DELETE FROM destinations r WHERE removed_at < :deletedBefore
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.destination_id = r.id)`,
})
