import type { EventCopy } from '../../services/webhooks/src/engine/fast-path/fan-out.ts'

/** Logs events, as parameters 1 to 6; all of them, or none where one is there already. */
export const LOG_NEW_EVENTS = `
  INSERT INTO events (owner_id, event_id, type, integration_id, body, created_at)
  SELECT owner_id, event_id, type, integration_id, body, to_timestamp(created_ms / 1000.0)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[])
    AS e (owner_id, event_id, type, integration_id, body, created_ms)`

/** The same where some may be there already, for a stream may give an event again: gives those that were not. */
export const LOG_MISSING_EVENTS = `${LOG_NEW_EVENTS}
  ON CONFLICT DO NOTHING
  RETURNING owner_id, event_id`

/** The parameters of both. */
export const eventColumns = (copies: readonly EventCopy[]): unknown[] => [
  copies.map(({ ownerId }) => ownerId),
  copies.map(({ eventId }) => eventId),
  copies.map(({ type }) => type),
  copies.map(({ integrationId }) => integrationId),
  copies.map(({ body }) => body),
  copies.map(({ createdMs }) => createdMs),
]
