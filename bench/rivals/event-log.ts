import type { EventCopy } from '../../services/webhooks/src/engine/fast-path/fan-out.ts'

/** The parameters of the two statements below. */
export const EVENT_PARAMETERS = {
  ownerIds: 'text[]',
  eventIds: 'text[]',
  types: 'text[]',
  integrationIds: 'text?[]',
  bodies: 'text[]',
  createdMs: 'float8[]',
} as const

/** Logs events; all of them, or none where one is there already. */
export const LOG_NEW_EVENTS = `
  INSERT INTO events (owner_id, event_id, type, integration_id, body, created_at)
  SELECT owner_id, event_id, type, integration_id, body, to_timestamp(created_ms / 1000.0)
  FROM unnest(:ownerIds, :eventIds, :types, :integrationIds, :bodies, :createdMs)
    AS e (owner_id, event_id, type, integration_id, body, created_ms)`

/** The same where some may exist already, because a stream may redeliver an event; returns those that did not. */
export const LOG_MISSING_EVENTS = `${LOG_NEW_EVENTS}
  ON CONFLICT DO NOTHING
  RETURNING owner_id, event_id`

/** Values of {@link EVENT_PARAMETERS}. */
export const eventColumns = (copies: readonly EventCopy[]) => ({
  ownerIds: copies.map(({ ownerId }) => ownerId),
  eventIds: copies.map(({ eventId }) => eventId),
  types: copies.map(({ type }) => type),
  integrationIds: copies.map(({ integrationId }) => integrationId),
  bodies: copies.map(({ body }) => body),
  createdMs: copies.map(({ createdMs }) => createdMs),
})
